package io.tidegate.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.Clock;
import io.micrometer.registry.otlp.AggregationTemporality;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.metrics.v1.SummaryDataPoint;
import io.tidegate.Registry;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A registry that sends by itself to a server, which records what arrives. */
class OtlpTest {
    private final Queue<ExportMetricsServiceRequest> arrived = new ConcurrentLinkedQueue<>();
    private HttpServer server;

    @BeforeEach
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/metrics", exchange -> {
            try (InputStream body = exchange.getRequestBody()) {
                arrived.add(ExportMetricsServiceRequest.parseFrom(body.readAllBytes()));
            }
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stopServer() {
        server.stop(0);
    }

    private OtlpConfig config(AggregationTemporality temporality) {
        String url = "http://" + server.getAddress().getAddress().getHostAddress() + ":"
                + server.getAddress().getPort() + "/v1/metrics";
        return new OtlpConfig() {
            @Override
            public String get(String key) {
                return null;
            }

            @Override
            public String url() {
                return url;
            }

            @Override
            public AggregationTemporality aggregationTemporality() {
                return temporality;
            }

            @Override
            public TimeUnit baseTimeUnit() {
                return TimeUnit.SECONDS;
            }

            @Override
            public Duration step() {
                // The registry sends when it is closed.
                return Duration.ofDays(1000);
            }
        };
    }

    /** Returns everything that arrived: the name and sorted attributes, and the value; for timers count and total. */
    private Map<String, Object> samples() {
        Map<String, Object> samples = new TreeMap<>();
        for (ExportMetricsServiceRequest request : arrived) {
            request.getResourceMetricsList().stream()
                    .flatMap(resource -> resource.getScopeMetricsList().stream())
                    .flatMap(scope -> scope.getMetricsList().stream())
                    .forEach(metric -> add(samples, metric));
        }
        return samples;
    }

    private static void add(Map<String, Object> samples, Metric metric) {
        for (NumberDataPoint point : metric.getGauge().getDataPointsList()) {
            samples.put(metric.getName() + attributes(point.getAttributesList()), point.getAsDouble());
        }
        for (NumberDataPoint point : metric.getSum().getDataPointsList()) {
            samples.put(metric.getName() + attributes(point.getAttributesList()), point.getAsDouble());
        }
        metric.getHistogram()
                .getDataPointsList()
                .forEach(point -> samples.put(
                        metric.getName() + attributes(point.getAttributesList()),
                        List.of((double) point.getCount(), point.getSum())));
        for (SummaryDataPoint point : metric.getSummary().getDataPointsList()) {
            samples.put(
                    metric.getName() + attributes(point.getAttributesList()),
                    List.of((double) point.getCount(), point.getSum()));
        }
    }

    private static Map<String, String> attributes(List<KeyValue> of) {
        Map<String, String> attributes = new TreeMap<>();
        of.forEach(pair -> attributes.put(pair.getKey(), pair.getValue().getStringValue()));
        return attributes;
    }

    @ParameterizedTest
    @EnumSource(AggregationTemporality.class)
    @DisplayName("OB-8 an OTLP registry sends all kinds of measures")
    void publish_allShapes_arrive(AggregationTemporality temporality) {
        Registry registry = new Registry();
        OtlpMeterRegistry meters = new OtlpMeterRegistry(config(temporality), Clock.SYSTEM);
        registry.add(
                new FakePart("guard", "prices", to -> {
                    to.gauge("in.flight", 3);
                    to.count("ended", 7, "outcome", "success");
                    to.time("run.time", 4, 10_000_000_000L, 2_000_000_000L, 4_000_000_000L, 5_000_000_000L);
                    to.state("state", "OPEN");
                }),
                "team",
                "shop");
        registry.add(new FakePart("guard", "stock", to -> to.gauge("in.flight", 4)));
        new TidegateMetrics(registry).bindTo(meters);

        meters.close();

        assertThat(samples())
                .isEqualTo(Map.of(
                        "tidegate.guard.in.flight{name=prices, team=shop}", 3.0,
                        "tidegate.guard.in.flight{name=stock, team=none}", 4.0,
                        "tidegate.guard.ended{name=prices, outcome=success, team=shop}", 7.0,
                        "tidegate.guard.run.time{name=prices, team=shop}", List.of(4.0, 10.0),
                        "tidegate.guard.run.time.p50{name=prices, team=shop}", 2.0,
                        "tidegate.guard.run.time.p99{name=prices, team=shop}", 4.0,
                        "tidegate.guard.run.time.max{name=prices, team=shop}", 5.0,
                        "tidegate.guard.state{name=prices, state=OPEN, team=shop}", 1.0));
    }
}

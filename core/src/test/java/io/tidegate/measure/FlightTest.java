package io.tidegate.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.adaptive.AdaptiveLimit;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import io.tidegate.memory.Allocations;
import io.tidegate.rate.RateLimiter;
import io.tidegate.reading.Measures;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("OB-7")
class FlightTest {
    private static final List<String> OFF =
            List.of("tidegate.Refusal", "tidegate.Wait", "tidegate.Hold", "tidegate.LimitChange");
    private static final CompletableFuture<Object> DONE = CompletableFuture.completedFuture(null);

    @TempDir
    Path folder;

    private interface Scene {
        void play() throws Exception;
    }

    private List<RecordedEvent> record(boolean allOn, Scene scene) throws Exception {
        try (Recording recording = new Recording()) {
            if (allOn) {
                OFF.forEach(recording::enable);
            }
            recording.start();
            scene.play();
            recording.stop();
            return events(recording);
        }
    }

    private List<RecordedEvent> events(Recording recording) throws IOException {
        Path file = Files.createTempFile(folder, "flight", ".jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("tidegate."))
                .toList();
    }

    private static String line(RecordedEvent event) {
        StringBuilder line = new StringBuilder(event.getEventType().getName().substring("tidegate.".length()));
        for (String field : List.of("kind", "source", "breaker", "code", "from", "to", "outcome")) {
            if (event.hasField(field)) {
                line.append(' ').append(event.<Object>getValue(field));
            }
        }
        return line.toString();
    }

    private static AsyncBulkhead bulkhead() {
        return AsyncBulkhead.builder(1).name("stock").build();
    }

    @Test
    @DisplayName("OB-7 a refusal is recorded with kind, source and code, by each part that refuses")
    void refusals_on_areRecorded() throws Exception {
        AsyncBulkhead bulkhead = bulkhead();
        CircuitBreaker breaker = CircuitBreaker.of("pay");
        RateLimiter limiter =
                RateLimiter.builder(1, Duration.ofDays(1)).name("mail").build();
        RemoteBulkhead machine = RemoteBulkhead.builder(1).name("far").build();
        RemoteBulkheadClient client = RemoteBulkheadClient.of(machine);
        breaker.forceOpen();
        List<RecordedEvent> events = record(true, () -> {
            bulkhead.submit(() -> bulkhead.submit(() -> DONE));
            breaker.tryAcquire();
            limiter.tryAcquire();
            limiter.tryAcquire();
            client.submit(null, "r", () -> DONE);
            machine.acquire(false, "s", 0);
        });
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("tidegate.Refusal"))
                .extracting(FlightTest::line)
                .containsExactlyInAnyOrder(
                        "Refusal bulkhead stock AB_ERR_FULL",
                        "Refusal breaker pay CB_ERR_OPEN",
                        "Refusal rate mail RL_ERR_EXCEEDED",
                        "Refusal remote far RB_ERR_NO_REMOTECAP",
                        "Refusal remote far RB_ERR_NO_REMOTECAP");
    }

    @Test
    @DisplayName("OB-7 a busy half-open breaker is recorded with its own code")
    void refusals_halfOpen_haveTheirCode() throws Exception {
        long[] now = {0};
        CircuitBreaker breaker = CircuitBreaker.builder("pay")
                .readyToTrip(counts -> true)
                .timeout(Duration.ofNanos(1))
                .ticker(() -> now[0])
                .build();
        breaker.onFailure(breaker.tryAcquire(), new IOException());
        now[0] = 10;
        List<RecordedEvent> events = record(true, () -> {
            breaker.tryAcquire();
            breaker.tryAcquire();
        });
        assertThat(events)
                .extracting(FlightTest::line)
                .contains("StateChange pay OPEN HALF_OPEN", "Refusal breaker pay CB_ERR_PROBES_BUSY");
    }

    @Test
    @DisplayName("OB-7 state changes are recorded by default, all else is not")
    void defaults_onlyStateChanges() throws Exception {
        AsyncBulkhead bulkhead = bulkhead();
        CircuitBreaker breaker = CircuitBreaker.of("pay");
        List<RecordedEvent> events = record(false, () -> {
            breaker.forceOpen();
            breaker.tryAcquire();
            breaker.reset();
            bulkhead.submit(() -> bulkhead.submit(() -> DONE));
            bulkhead.setMaxInFlight(9);
        });
        assertThat(events)
                .extracting(FlightTest::line)
                .containsExactly("StateChange pay CLOSED FORCED_OPEN", "StateChange pay FORCED_OPEN CLOSED");
    }

    @Test
    @DisplayName("OB-7 holds are recorded with kind, source, duration and outcome")
    void holds_on_areRecorded() throws Exception {
        AsyncBulkhead bulkhead = bulkhead();
        RemoteBulkheadClient client =
                RemoteBulkheadClient.of(RemoteBulkhead.builder(1).name("far").build());
        RemoteCapability capability = client.takeCapability();
        Guard guard = Guard.builder("shop").bulkhead(bulkhead).build();
        List<RecordedEvent> events = record(true, () -> {
            CompletableFuture<Object> pending = new CompletableFuture<>();
            bulkhead.submit(() -> pending);
            pending.completeExceptionally(new IOException());
            bulkhead.submit(() -> DONE);
            bulkhead.submit(CompletableFuture::new).toCompletableFuture().cancel(false);
            client.submit(capability, "r", () -> DONE);
            guard.call(() -> 1);
        });
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("tidegate.Hold"))
                .allSatisfy(event -> assertThat(event.getDuration()).isGreaterThanOrEqualTo(Duration.ZERO))
                .extracting(FlightTest::line)
                .contains(
                        "Hold bulkhead stock failure",
                        "Hold bulkhead stock success",
                        "Hold bulkhead stock cancelled",
                        "Hold remote far success");
    }

    @Test
    @DisplayName("OB-7 what was held when holds were turned on or off comes back all the same")
    void holds_turnedOnAndOff_loseNothing() throws Exception {
        AsyncBulkhead bulkhead = bulkhead();
        CompletableFuture<Object> before = new CompletableFuture<>();
        CompletableFuture<Object> during = new CompletableFuture<>();
        bulkhead.submit(() -> before);
        record(true, () -> {
            before.complete(1);
            bulkhead.submit(() -> during);
        });
        during.complete(1);
        assertThat(bulkhead.inFlight()).isZero();
        assertThat(Measures.of(bulkhead).counts).containsEntry("ended[outcome, success]", 2L);
    }

    @Test
    @DisplayName("OB-7 waits are recorded with kind, source and duration")
    void waits_on_areRecorded() throws Exception {
        RemoteBulkheadClient client = RemoteBulkheadClient.builder(RemoteBulkhead.builder(1)
                        .name("far")
                        .policy(new BackpressurePolicy.Queue(5, 1_000_000))
                        .build())
                .executor(Runnable::run)
                .build();
        RemoteCapability capability = client.takeCapability();
        AtomicLong ticker = new AtomicLong();
        RateLimiter limiter = RateLimiter.builder(1, Duration.ofMillis(1))
                .name("mail")
                .maxWait(Duration.ofMinutes(10))
                .ticker(ticker::get)
                .build();
        List<RecordedEvent> events = record(true, () -> {
            CompletableFuture<Object> first = new CompletableFuture<>();
            client.submit(capability, "a", () -> first);
            client.submit(capability, "b", () -> DONE);
            client.submit(capability, "c", () -> DONE).toCompletableFuture().cancel(false);
            first.complete(1);
            limiter.tryAcquire();
            CompletableFuture<Object> waits = limiter.submit(() -> DONE).toCompletableFuture();
            ticker.set(1_000_000);
            waits.join();
        });
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("tidegate.Wait"))
                .extracting(FlightTest::line)
                .contains("Wait remote far", "Wait remote far", "Wait rate mail");
    }

    @Test
    @DisplayName("OB-7 limits that change are recorded")
    void limitChanges_on_areRecorded() throws Exception {
        AsyncBulkhead bulkhead = bulkhead();
        AsyncBulkhead adaptive = AdaptiveLimit.aimd().name("soft").initial(10).build();
        RateLimiter limiter =
                RateLimiter.builder(1, Duration.ofSeconds(1)).name("mail").build();
        RemoteBulkheadClient client =
                RemoteBulkheadClient.of(RemoteBulkhead.builder(4).name("far").build());
        List<RecordedEvent> events = record(true, () -> {
            bulkhead.setMaxInFlight(7);
            CompletableFuture<Object> pending = new CompletableFuture<>();
            adaptive.submit(() -> pending);
            pending.completeExceptionally(new TimeoutException());
            limiter.setRate(5, Duration.ofSeconds(1));
            client.setMaxInFlight(2);
        });
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("tidegate.LimitChange"))
                .extracting(FlightTest::line)
                .contains("LimitChange bulkhead stock 1.0 7.0", "LimitChange rate mail 1.0 5.0")
                .contains("LimitChange remote far 4.0 2.0")
                .anyMatch(line -> line.startsWith("LimitChange bulkhead soft 10.0 "));
    }

    @Test
    @DisplayName("OB-7 an event that is off allocates nothing, be a recording on or not")
    void refusal_off_allocatesNothing() throws Exception {
        AsyncBulkhead bulkhead = bulkhead();
        bulkhead.submit(CompletableFuture::new);
        assertThat(Allocations.of(50_000, i -> bulkhead.submit(() -> DONE))).isLessThan(Allocations.SLACK);
        record(
                false,
                () -> assertThat(Allocations.of(50_000, i -> bulkhead.submit(() -> DONE)))
                        .isLessThan(Allocations.SLACK));
    }

    @Test
    @DisplayName("OB-7 the settings file turns all of them on")
    void settings_file_turnsAllOn() throws Exception {
        CircuitBreaker.of("load the classes").forceOpen();
        bulkhead().submit(() -> DONE);
        try (var settings = getClass().getResourceAsStream("/io/tidegate/tidegate.jfc")) {
            assertThat(settings).isNotNull();
            try (Recording recording =
                    new Recording(jdk.jfr.Configuration.create(new java.io.InputStreamReader(settings)))) {
                for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
                    if (type.getName().startsWith("tidegate.")) {
                        assertThat(recording.getSettings()).containsEntry(type.getName() + "#enabled", "true");
                    }
                }
            }
        }
    }
}

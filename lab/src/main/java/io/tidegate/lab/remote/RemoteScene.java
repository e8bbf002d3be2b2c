package io.tidegate.lab.remote;

import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.lab.Scene;
import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.load.Trial;
import io.tidegate.lab.print.Screen;
import io.tidegate.lab.remote.LoweredCap.Phase;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.DrainReport;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A {@link RemoteBulkheadClient} under a steady load, while its cap is lowered, raised again and drained. */
public final class RemoteScene implements Scene {
    private final LoweredCap plan;

    public RemoteScene(LoweredCap plan) {
        this.plan = plan;
    }

    /**
     * The results.
     *
     * @param outcomes what became of the calls due in each phase
     * @param log the course of the bulkhead
     * @param latencies its p99 at the end of each phase
     * @param closing how its drain ended
     */
    record Result(List<Outcomes> outcomes, RemoteLog log, List<Latency> latencies, Closing closing) {}

    /**
     * A reading of the bulkhead's p99.
     *
     * @param p99Ms the p99 of the latest answers
     * @param withinTarget whether the bulkhead reports that this is within the target
     */
    record Latency(OptionalLong p99Ms, boolean withinTarget) {}

    /**
     * The drain at the end.
     *
     * @param inFlight how many calls were in flight when the drain began
     * @param left what was left when it ended
     * @param took how long it took
     */
    record Closing(int inFlight, DrainReport left, Duration took) {}

    @Override
    public String name() {
        return "remote";
    }

    @Override
    public String about() {
        return "the cap of a RemoteBulkhead lowered under load, raised again and drained";
    }

    @Override
    public void play(Screen screen) throws IOException, InterruptedException {
        RemoteReport report = new RemoteReport(plan);
        screen.out().println(report.opening());
        Result result = run(screen);
        screen.out().println();
        screen.show(report.table(result));
        screen.out().println(report.events(result.log()));
        screen.out()
                .println(new RemoteChart(plan)
                        .draw(result.log(), result.closing().took()));
        screen.out().println(report.closing(result.closing()));
        screen.out().println(report.finding(result));
    }

    Result run(Screen screen) throws IOException, InterruptedException {
        Operator operator = new Operator(plan);
        Trial.Result result = new Trial("remote", plan.load(), plan.newWork(), operator).run(screen);
        return new Result(result.phases(), operator.log, operator.latencies, operator.closing.join());
    }

    /** Uses the client for each call, and sets the cap when a phase begins. */
    private static final class Operator implements Trial.Gate {
        private final LoweredCap plan;
        private final long startNanos = System.nanoTime();
        private final AtomicLong lastCall = new AtomicLong();
        private final RemoteLog log;
        private final RemoteBulkhead bulkhead;
        private final RemoteBulkheadClient client;
        private final RemoteCapability capability;
        private final List<Latency> latencies = new ArrayList<>();
        private final CompletableFuture<Closing> closing = new CompletableFuture<>();

        Operator(LoweredCap plan) {
            this.plan = plan;
            this.log = new RemoteLog(plan.cap());
            this.bulkhead = RemoteBulkhead.builder(plan.cap())
                    .policy(BackpressurePolicy.queue(
                            plan.maxDepth(), plan.timeout().toMillis()))
                    .p99TargetMs(plan.target().toMillis())
                    .latencyWindow(plan.latencyWindow())
                    .eventSink(log)
                    .build();
            // Permits last as long as the operation, because a caller that gives up does not stop the work.
            this.client = RemoteBulkheadClient.builder(bulkhead)
                    .permitLifetime(PermitLifetime.OPERATION)
                    .clock(this::nowMs)
                    .build();
            this.capability = client.takeCapability();
        }

        /* One clock for the client, the operator and the log. */
        private long nowMs() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        }

        @Override
        public CompletionStage<HttpResponse<Void>> submit(Supplier<CompletionStage<HttpResponse<Void>>> request) {
            return client.submit(capability, "call-" + lastCall.incrementAndGet(), request);
        }

        @Override
        public void begin(int number) {
            Phase phase = Phase.ALL.get(number);
            long nowMs = nowMs();
            log.begin(phase, nowMs);
            if (phase != Phase.BEFORE) {
                latencies.add(new Latency(bulkhead.p99ForegroundLatencyMs(), bulkhead.latencyWithinTarget()));
            }
            switch (phase) {
                case BEFORE -> {}
                case LOWERED -> bulkhead.setMaxInFlight(plan.lowered(), nowMs);
                case AFTER -> bulkhead.setMaxInFlight(plan.cap(), nowMs);
                case CLOSING -> close(nowMs);
            }
        }

        private void close(long startMs) {
            int inFlight = bulkhead.inFlight();
            var unused = client.drain(plan.patience())
                    .thenAccept(left ->
                            closing.complete(new Closing(inFlight, left, Duration.ofMillis(nowMs() - startMs))));
        }
    }
}

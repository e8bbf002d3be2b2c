package io.tidegate.lab.guard;

import io.tidegate.Backoff;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import io.tidegate.guard.GuardStats;
import io.tidegate.lab.Scene;
import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.load.Time;
import io.tidegate.lab.load.Trial;
import io.tidegate.lab.print.Screen;
import io.tidegate.retry.Retry;
import io.tidegate.retry.RetryBudget;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The same outage twice: with callers that just retry, then with callers behind a {@link Guard}. */
public final class GuardScene implements Scene {
    /** Shorter than the standard window of half a minute, which is longer than the scene. */
    private static final Duration WINDOW = Duration.ofSeconds(1);

    private static final Duration LONGEST_OPEN = Duration.ofSeconds(1);

    private final Storm storm;
    private final Optional<Recorder> recorder;

    public GuardScene(Storm storm) {
        this(storm, Optional.empty());
    }

    private GuardScene(Storm storm, Optional<Recorder> recorder) {
        this.storm = storm;
        this.recorder = recorder;
    }

    @Override
    public Optional<Scene> recordedBy(Recorder recorder) {
        return Optional.of(new GuardScene(storm, Optional.of(recorder)));
    }

    /**
     * The results of a run.
     *
     * @param outcomes what became of the calls
     * @param arrived what was sent to the service
     * @param stats of the guard
     */
    record Result(Outcomes outcomes, LoadLog arrived, GuardStats stats) {}

    @Override
    public String name() {
        return "guard";
    }

    @Override
    public String about() {
        return "callers that retry a failing service, without and with a budget, a breaker and a bulkhead";
    }

    @Override
    public void play(Screen screen) throws IOException, InterruptedException {
        GuardReport report = new GuardReport(storm);
        screen.out().println(report.opening());
        Result retrying = runRetrying(screen);
        Result guarded = runGuarded(screen);
        screen.out().println();
        screen.show(report.table(retrying, guarded));
        screen.out().println(new GuardChart(storm).draw(retrying, guarded));
        screen.out().println(report.finding(retrying, guarded));
    }

    Result runRetrying(Screen screen) throws IOException, InterruptedException {
        return run(
                "retries",
                Guard.builder("lab")
                        .retry(retry().build())
                        .timeLimit(storm.attemptLimit())
                        .build(),
                screen);
    }

    /** Runs behind a standard guard, with times that are short enough to be watched. */
    Result runGuarded(Screen screen) throws IOException, InterruptedException {
        Guard guard = Guard.builder("lab")
                .retry(retry().budget(RetryBudget.of(Guard.STANDARD_RETRY_RATIO, Guard.STANDARD_RETRIES_PER_SECOND))
                        .build())
                .breaker(CircuitBreaker.builder("lab")
                        .failureRate(Guard.STANDARD_FAILURE_RATE, Guard.STANDARD_MINIMUM_CALLS)
                        .slidingWindow(WINDOW)
                        .timeout(storm.outage().openFor())
                        .openBackoff(2, LONGEST_OPEN)
                        .build())
                .bulkhead(AsyncBulkhead.builder(Guard.STANDARD_MAX_IN_FLIGHT)
                        .name("lab")
                        .build())
                .timeLimit(storm.attemptLimit())
                .build();
        recorder.ifPresent(added -> {
            added.add(guard);
            guard.parts().forEach(added::add);
            added.start();
        });
        try {
            return run("guard", guard, screen);
        } finally {
            recorder.ifPresent(Recorder::stop);
        }
    }

    private Retry.Builder retry() {
        return Retry.builder()
                .maxAttempts(Storm.ATTEMPTS)
                .backoff(Backoff.exponential(
                        storm.firstPause(), storm.firstPause().multipliedBy(2)));
    }

    private Result run(String title, Guard guard, Screen screen) throws IOException, InterruptedException {
        StormWork work = new StormWork(storm, Time.SYSTEM);
        Trial.Result result = new Trial(title, storm.outage().load(), work, new AfterWarmUp(guard)).run(screen);
        return new Result(result.outcomes(), work.arrived(), guard.stats());
    }

    /** Retries only after the warm-up: a service that is not warm yet could not bear retries. */
    private static final class AfterWarmUp implements Trial.Gate {
        private final Guard guard;
        private volatile boolean begun;

        AfterWarmUp(Guard guard) {
            this.guard = guard;
        }

        @Override
        public CompletionStage<HttpResponse<Void>> submit(Supplier<CompletionStage<HttpResponse<Void>>> request) {
            return begun ? guard.submit(request) : request.get();
        }

        @Override
        public void begin(int phase) {
            begun = true;
        }
    }
}

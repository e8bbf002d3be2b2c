package io.tidegate.bench.breaker;

import java.io.Serial;
import java.util.concurrent.Callable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A call through a breaker. Each contestant is a separate class and is measured in a separate JVM, so that the others
 * are not even loaded there.
 */
@State(Scope.Benchmark)
public abstract class CallBenchmark {
    static final String NAME = "bench";
    static final int OPEN_SECONDS = 3600;
    static final int ENOUGH_FAILURES = 200;
    static final String RESULT = "result";

    /** Thrown again and again, so that no contestant pays for it. */
    final RuntimeException failure = new Failure();

    final Callable<String> succeeding = () -> RESULT;
    final Callable<String> failing = () -> {
        throw failure;
    };

    @Param
    public Window window = Window.SIX_IN_A_ROW;

    /** Makes a closed breaker that opens for an hour and lets one probe through. */
    abstract void build(Window counted);

    /** Makes a call that succeeds. Returns true or the result; or if the call was refused, false or what was thrown. */
    abstract Object succeed();

    /** Makes a call that fails. Returns true or the exception; or if the call was refused, false or what was thrown. */
    abstract Object fail();

    /** Opens the breaker by hand. */
    void openByHand() {
        throw new UnsupportedOperationException("is measured by its calls only");
    }

    /** Closes the breaker by hand. */
    void closeByHand() {
        throw new UnsupportedOperationException("is measured by its calls only");
    }

    /** Takes the one probe of a half-open breaker, and never ends it. */
    void holdProbe() {
        throw new UnsupportedOperationException("is measured closed and open only");
    }

    @Setup
    public void prepare(BenchmarkParams params) {
        String benchmark = params.getBenchmark();
        prepare(benchmark.substring(benchmark.lastIndexOf('.') + 1));
    }

    void prepare(String method) {
        build(window);
        switch (method) {
            case "refusal" -> open();
            case "storm" -> holdProbe();
            default -> {}
        }
    }

    final void open() {
        for (int i = 0; i < ENOUGH_FAILURES; i++) {
            Object unused = fail();
        }
    }

    @Benchmark
    public Object success() {
        return succeed();
    }

    /** Makes two calls, because every contestant would open if all calls failed. */
    @Benchmark
    public void failureAndSuccess(Blackhole outcomes) {
        outcomes.consume(fail());
        outcomes.consume(succeed());
    }

    @Benchmark
    public Object refusal() {
        return succeed();
    }

    @Benchmark
    public Object storm() {
        return succeed();
    }

    /** Makes two state changes, because each is possible only once. */
    @Benchmark
    public void openAndClose() {
        openByHand();
        closeByHand();
    }

    private static final class Failure extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        Failure() {
            super("failure", null, false, false);
        }
    }
}

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
 * A call through a breaker. Each contestant is a class of its own and each is measured in a JVM of its own, so that
 * none of the others is even loaded there.
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

    /** Makes the breaker: closed, opens for an hour, lets one probe through. */
    abstract void build(Window counted);

    /** Makes a call that succeeds; returns true or its result, and false or what was thrown if it was refused. */
    abstract Object succeed();

    /** Makes a call that fails; returns true or its exception, and false or what was thrown if it was refused. */
    abstract Object fail();

    /** Opens the breaker by hand. */
    void openByHand() {
        throw new UnsupportedOperationException("is measured by its calls only");
    }

    /** Closes the breaker by hand. */
    void closeByHand() {
        throw new UnsupportedOperationException("is measured by its calls only");
    }

    /** Takes the one probe of a half-open breaker for good. */
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

    /** Two calls, since all contestants would open if every one failed. */
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

    /** Two state changes, since one is possible only once. */
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

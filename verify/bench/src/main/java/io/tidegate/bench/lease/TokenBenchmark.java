package io.tidegate.bench.lease;

import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The token of one acquisition after the other. */
@State(Scope.Thread)
public abstract class TokenBenchmark {
    private long fence = 1_000_000;

    protected abstract String next(long fence);

    @Benchmark
    public String token() {
        return next(++fence);
    }

    /** A token that anybody can guess. */
    public static class FenceAsText extends TokenBenchmark {
        @Override
        protected String next(long fence) {
            return Long.toString(fence);
        }
    }

    /** A random token instead of a keyed hash. */
    public static class RandomUuid extends TokenBenchmark {
        @Override
        protected String next(long fence) {
            return fence + "." + UUID.randomUUID();
        }
    }
}

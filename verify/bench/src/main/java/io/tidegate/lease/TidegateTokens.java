package io.tidegate.lease;

import io.tidegate.bench.lease.TokenBenchmark;
import org.jspecify.annotations.NullMarked;

/** Tidegate's own tokens as a contestant; in this package because they are not public. */
@NullMarked
public class TidegateTokens extends TokenBenchmark {
    private final KeyedTokens tokens = KeyedTokens.withRandomKey();

    @Override
    protected String next(long fence) {
        return tokens.next(1, fence);
    }
}

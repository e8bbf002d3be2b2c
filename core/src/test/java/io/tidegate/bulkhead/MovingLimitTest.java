package io.tidegate.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.gate.Gate.Verdict;
import io.tidegate.gate.MovingLimit;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A limit that moves while a thread asks for a permit: other threads' steps happen inside the call that reads the
 * limit.
 */
class MovingLimitTest {
    private static final int HIGH = 3;
    private static final int LOW = 2;

    private int present = HIGH;
    private Runnable meanwhile = () -> {};
    private final AsyncBulkhead bulkhead =
            new PermitBulkhead(HIGH, new Moving(), "moving", null, PermitLifetime.RETURNED_STAGE, null);
    private final CompletableFuture<String> first = new CompletableFuture<>();

    private final class Moving implements MovingLimit {
        @Override
        public int limit() {
            int seen = present;
            Runnable others = meanwhile;
            meanwhile = () -> {};
            others.run();
            return seen;
        }

        @Override
        public long begin() {
            return 0;
        }

        @Override
        public long elapsed(long stamp) {
            return 0;
        }

        @Override
        public void end(long stamp, int inFlight, @Nullable Throwable error, Verdict verdict) {}
    }

    @BeforeEach
    void twoAreIn() {
        bulkhead.submit(() -> first);
        assertThat(isLetIn()).isTrue();
    }

    private boolean isLetIn() {
        return !bulkhead.submit(CompletableFuture::new).toCompletableFuture().isDone();
    }

    @Test
    @DisplayName("AL-1 AL-3 after the limit has fallen nobody is let in by the old one")
    void submit_limitFallsMeanwhile_refuses() {
        meanwhile = () -> {
            present = LOW;
            first.complete("done");
            assertThat(isLetIn()).isTrue();
        };
        assertThat(isLetIn()).isFalse();
        assertThat(bulkhead.inFlight()).isEqualTo(LOW);
    }

    @Test
    @DisplayName("AL-1 AL-2 after the limit has risen nobody is refused by the old one")
    void submit_limitRisesMeanwhile_letsIn() {
        present = LOW;
        meanwhile = () -> {
            first.complete("done");
            present = HIGH;
            assertThat(isLetIn()).isTrue();
        };
        assertThat(isLetIn()).isTrue();
        assertThat(bulkhead.inFlight()).isEqualTo(HIGH);
    }
}

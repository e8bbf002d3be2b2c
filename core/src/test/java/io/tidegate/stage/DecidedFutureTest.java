package io.tidegate.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class DecidedFutureTest {
    /** A future whose end is decided by a thread that stops before it gives back the permit. */
    private static final class StoppedWinner extends DecidedFuture<String> {
        @Override
        protected boolean settle(Throwable error) {
            return false;
        }

        @Override
        protected boolean isReturned() {
            return false;
        }
    }

    @Test
    @Timeout(600)
    @DisplayName("AB-10 obtruding does not wait for ever for a winner that stands still")
    void obtrude_winnerStandsStill_takesEffect() {
        StoppedWinner future = new StoppedWinner();

        future.obtrudeValue("obtruded");

        assertThat(future).isCompletedWithValue("obtruded");
    }

    @Test
    @DisplayName("CB-23 AB-12 when what comes before the end throws, the returned future ends with the operation")
    void hook_releaseThrows_futureEnds() {
        CompletableFuture<String> operation = new CompletableFuture<>();
        FollowingFuture<String> returned = new FollowingFuture<>();
        OperationHook<String> hook = new OperationHook<>(returned) {
            @Override
            protected void release(String value, Throwable error) {
                throw new IllegalStateException("bookkeeping");
            }
        };
        returned.follow(operation, hook);

        operation.complete("done");

        assertThat(returned).isCompletedWithValue("done");
    }
}

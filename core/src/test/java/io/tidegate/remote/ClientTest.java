package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bulkhead.PermitLifetime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;

/**
 * What every test of a client starts from: time that passes when the test says so, and operations that start when the
 * test says so, or at once. And what a test must leave behind: nothing in flight, no request waiting, and as many
 * releases in the log as permits.
 */
abstract class ClientTest {
    static final long START_MS = 1_000;
    static final long TIMEOUT_MS = 100;
    static final int DEPTH = 4;
    static final Executor DIRECT = Runnable::run;

    final ClientTime time = new ClientTime(START_MS);
    final Queue<Runnable> heldBack = new ArrayDeque<>();
    private final List<RemoteBulkhead> made = new ArrayList<>();

    /** A client with its capability. */
    record Door(RemoteBulkheadClient client, RemoteCapability capability) {
        static Door to(RemoteBulkheadClient client) {
            return new Door(client, client.takeCapability());
        }

        <T> CompletableFuture<T> submit(String requestId, Supplier<? extends CompletionStage<T>> operation) {
            return client.<T>submit(capability, requestId, operation).toCompletableFuture();
        }

        CompletableFuture<String> submit(String requestId, CompletionStage<String> operation) {
            return submit(requestId, () -> operation);
        }

        /** An operation that runs until the test ends it. */
        CompletableFuture<String> occupy(String requestId) {
            CompletableFuture<String> operation = new CompletableFuture<>();
            submit(requestId, operation);
            return operation;
        }

        RemoteBulkhead bulkhead() {
            return ((QueueingClient) client).bulkhead;
        }

        int inFlight() {
            return bulkhead().inFlight();
        }

        int waiting() {
            return bulkhead().queueDepth();
        }
    }

    final RemoteBulkhead bulkhead(int maxInFlight) {
        return bulkhead(maxInFlight, BackpressurePolicy.queue(DEPTH, TIMEOUT_MS));
    }

    final RemoteBulkhead bulkhead(int maxInFlight, BackpressurePolicy policy) {
        return made(RemoteBulkhead.builder(maxInFlight).policy(policy).build());
    }

    final RemoteBulkhead made(RemoteBulkhead bulkhead) {
        made.add(bulkhead);
        return bulkhead;
    }

    final RemoteBulkheadClient.Builder builder(RemoteBulkhead bulkhead) {
        return RemoteBulkheadClient.builder(bulkhead)
                .executor(DIRECT)
                .clock(time::nowMs)
                .scheduler(time.scheduler());
    }

    final Door door(int maxInFlight) {
        return Door.to(builder(bulkhead(maxInFlight)).build());
    }

    final Door door(int maxInFlight, PermitLifetime lifetime) {
        return Door.to(builder(bulkhead(maxInFlight)).permitLifetime(lifetime).build());
    }

    final Door door(RemoteBulkhead bulkhead) {
        return Door.to(builder(bulkhead).build());
    }

    /** Returns a client whose later starts wait in {@link #heldBack}. */
    final Door slowDoor(int maxInFlight, PermitLifetime lifetime) {
        return Door.to(builder(bulkhead(maxInFlight))
                .permitLifetime(lifetime)
                .executor(heldBack::add)
                .build());
    }

    final void runHeldBack() {
        for (Runnable start = heldBack.poll(); start != null; start = heldBack.poll()) {
            start.run();
        }
    }

    @AfterEach
    final void permitsAreConserved() {
        for (RemoteBulkhead bulkhead : made) {
            assertThat(bulkhead.inFlight()).as("in flight at the end").isZero();
            assertThat(bulkhead.queueDepth()).as("waiting at the end").isZero();
            LogCheck.check(bulkhead);
            if (bulkhead.droppedEvents() == 0) {
                assertThat(count(bulkhead, BulkheadEventCode.RB_PERMIT_RELEASED))
                        .as("releases")
                        .isEqualTo(count(bulkhead, BulkheadEventCode.RB_PERMIT_ACQUIRED));
            }
        }
    }

    static long count(RemoteBulkhead bulkhead, BulkheadEventCode code) {
        return bulkhead.events().stream()
                .filter(event -> event.eventCode() == code)
                .count();
    }

    static List<BulkheadEventCode> codes(RemoteBulkhead bulkhead) {
        return bulkhead.events().stream().map(BulkheadEvent::eventCode).toList();
    }

    /** Returns the error of an ended stage as a continuation gets it: not unwrapped. */
    static Throwable errorOf(CompletionStage<?> stage) {
        return stage.handle((value, error) -> error).toCompletableFuture().getNow(null);
    }

    static BulkheadException refusalOf(CompletionStage<?> stage) {
        Throwable error = errorOf(stage);
        assertThat(error).isInstanceOf(BulkheadException.class);
        return (BulkheadException) error;
    }

    /** Throws a checked exception where the compiler allows none. */
    @SuppressWarnings("unchecked") // E is erased, which is the trick
    static <E extends Throwable> RuntimeException sneaky(Throwable thrown) throws E {
        throw (E) thrown;
    }
}

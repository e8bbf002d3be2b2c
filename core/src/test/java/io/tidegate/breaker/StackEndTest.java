package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;

/** Calls at every depth near the end of a thread's stack. */
@Tag("hot")
@Tag("stack-end")
class StackEndTest extends BreakerTest {
    /**
     * How many frames the calls go back from the end: more than the room that a call needs, however small the frames
     * are.
     */
    private static final int CALLS = 2_000;

    /** After so many calls that had room, the end of the stack is far enough. */
    private static final int ENOUGH = 50;

    private static final long STACK_BYTES = 512 * 1024;

    /** Runs the action at the end of the stack, and then in each frame further out. */
    private static final class Dive {
        final IntConsumer action;
        int calls;
        int overflows;
        int returned;

        Dive(IntConsumer action) {
            this.action = action;
        }

        @SuppressWarnings("InfiniteRecursion") // on purpose
        void down() {
            try {
                down();
            } catch (StackOverflowError end) {
                // from here on back
            }
            if (returned < ENOUGH && calls < CALLS) {
                try {
                    action.accept(calls++);
                    returned++;
                } catch (StackOverflowError tooDeep) {
                    overflows++;
                }
            }
        }

        void run() throws InterruptedException {
            action.accept(CALLS); // links what the action needs: linking is not tested here
            Thread thread = new Thread(null, this::down, "dive", STACK_BYTES);
            thread.start();
            thread.join(600_000);
            assertThat(thread.isAlive()).isFalse();
            assertThat(overflows).as("calls that were too deep").isPositive();
            assertThat(returned).as("calls with room").isEqualTo(ENOUGH);
        }
    }

    @RepeatedTest(3)
    @DisplayName("CB-10 probes that begin and end at the end of the stack never wedge a half-open breaker")
    void tryAcquire_halfOpen_probeTimeoutRecovers() throws InterruptedException {
        for (int slots : new int[] {1, 2, 64}) {
            CircuitBreaker breaker = made(brittle().maxRequests(slots).successesToClose(Integer.MAX_VALUE));
            breaker.onIgnored(halfOpen(breaker));

            new Dive(call -> {
                        ticker.advance(NANO);
                        long stamp = breaker.tryAcquire();
                        if (stamp > 0) {
                            breaker.onIgnored(stamp);
                        }
                    })
                    .run();

            assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
            for (int i = 0; i <= slots; i++) {
                breaker.tryAcquire(); // a slot that was left behind would refuse this call
            }
            ticker.advance(TIMEOUT);
            for (int i = 0; i < slots; i++) {
                probe(breaker);
            }
            assertRefused(breaker);
        }
    }

    @RepeatedTest(3)
    @DisplayName("CB-10 a half-open period that begins at the end of the stack can be ended")
    void tryAcquire_open_probeTimeoutRecovers() throws InterruptedException {
        CircuitBreaker breaker = made(brittle());
        new Dive(call -> {
                    breaker.reset();
                    breaker.onFailure(breaker.tryAcquire(), FAILURE);
                    ticker.advance(TIMEOUT);
                    breaker.tryAcquire();
                })
                .run();

        breaker.tryAcquire();
        ticker.advance(TIMEOUT);
        breaker.tryAcquire();
        ticker.advance(TIMEOUT);
        succeed(breaker);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @RepeatedTest(3)
    @SuppressWarnings("ReferenceEquality") // the very same one; and no call, for which there may be no stack
    @DisplayName("CB-23 execute returns what the call has returned, however little stack is left to count it")
    void execute_callReturned_valueArrives() throws InterruptedException {
        CircuitBreaker breaker = made(tough().slowCalls(TIMEOUT, 0.5));
        boolean[] ended = new boolean[CALLS + 1];
        boolean[] arrived = new boolean[CALLS + 1];
        new Dive(call -> {
                    try {
                        Object value = breaker.execute(() -> {
                            ended[call] = true;
                            return ended;
                        });
                        arrived[call] = value == ended;
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .run();

        assertThat(arrived).isEqualTo(ended);
    }

    @RepeatedTest(3)
    @SuppressWarnings("ReferenceEquality") // as above
    @DisplayName("CB-23 execute throws what the call has thrown, however little stack is left to count it")
    void execute_callThrew_exceptionArrives() throws InterruptedException {
        CircuitBreaker breaker = made(tough().slowCalls(TIMEOUT, 0.5));
        boolean[] ended = new boolean[CALLS + 1];
        boolean[] arrived = new boolean[CALLS + 1];
        new Dive(call -> {
                    try {
                        breaker.execute(() -> {
                            ended[call] = true;
                            throw FAILURE;
                        });
                    } catch (Exception failure) {
                        arrived[call] = failure == FAILURE;
                    }
                })
                .run();

        assertThat(arrived).isEqualTo(ended);
    }
}

package io.tidegate.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntConsumer;

/**
 * Makes a call at the end of a thread's stack, and then in each frame further out, until it has had room often enough.
 */
public final class Dive {
    /** At most so many calls: more than take up what a call needs, however small the frames are. */
    public static final int CALLS = 2_000;

    private static final int ENOUGH = 50;
    private static final long STACK_BYTES = 256 * 1024;

    private final IntConsumer call;
    private int calls;
    private int returned;

    private Dive(IntConsumer call) {
        this.call = call;
    }

    /**
     * Gives the call its number, from 0; once with room, so that all is linked that it needs, and then at the end of a
     * stack.
     */
    public static void run(IntConsumer call) {
        call.accept(0);
        Dive dive = new Dive(call);
        Thread thread = new Thread(null, dive::down, "dive", STACK_BYTES);
        thread.start();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        assertThat(dive.returned).as("calls with room").isEqualTo(ENOUGH);
    }

    @SuppressWarnings("InfiniteRecursion") // on purpose
    private void down() {
        try {
            down();
        } catch (StackOverflowError end) {
            // from here on back
        }
        if (returned < ENOUGH && calls < CALLS) {
            int mine = calls++;
            try {
                call.accept(mine);
                returned++;
            } catch (StackOverflowError tooDeep) {
                // there is more room further out
            }
        }
    }
}

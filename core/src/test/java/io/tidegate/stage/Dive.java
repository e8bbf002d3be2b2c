package io.tidegate.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Makes a call near the end of a thread's stack, and then every few frames further out, until the call has had room
 * often enough. Each dive begins at another frame, so that a few dives reach every frame.
 */
public final class Dive {
    /**
     * How many frames the calls go back from the end: more than the room that a call needs, however small the frames
     * are.
     */
    public static final int CALLS = 2_000;

    /* An overflow is slow, so a call in each frame would take long. */
    private static final int STEP = Integer.getInteger("tidegate.frameStep", 8);

    private static final int ENOUGH = 50;
    private static final long STACK_BYTES = 256 * 1024;

    private static final AtomicInteger DIVES = new AtomicInteger();

    private final IntConsumer call;
    private int framesToCall = DIVES.getAndIncrement() % STEP;
    private int calls;
    private int returned;

    private Dive(IntConsumer call) {
        this.call = call;
    }

    /**
     * Makes the call with its number, from 0: once with room, so that everything it needs is linked, and then near the
     * end of a stack.
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
        if (framesToCall-- == 0 && returned < ENOUGH && calls < CALLS) {
            framesToCall = STEP - 1;
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

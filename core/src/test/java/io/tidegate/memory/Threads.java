package io.tidegate.memory;

/** Counts threads that are left behind, without those that the JVM and other tests start meanwhile. */
public final class Threads {
    private Threads() {}

    /**
     * Runs the work in a thread group of its own, which its threads inherit, and counts the threads left in the group.
     */
    public static int leftBy(Runnable work) {
        ThreadGroup group = new ThreadGroup("work");
        Thread thread = new Thread(group, work);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return group.activeCount();
    }
}

package io.tidegate.memory;

/** Threads that are left behind, told apart from those that the JVM and other tests start meanwhile. */
public final class Threads {
    private Threads() {}

    /** Runs the work in a group of its own, which its threads inherit, and counts the threads left in it. */
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

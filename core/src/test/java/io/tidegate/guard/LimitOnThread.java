package io.tidegate.guard;

/** A time limit on the call of the thread that made this. */
public interface LimitOnThread {
    /** Called by another thread when the time is up. */
    void fire();

    /** Called by the thread itself when the call has ended. Returns whether the time was up first. */
    boolean leave();

    /** Makes limits: Tidegate's or broken ones. */
    interface Factory {
        Factory TIDEGATE = OfGuard::new;

        LimitOnThread enter();
    }

    /** The limit that guards use. */
    final class OfGuard implements LimitOnThread {
        private final SyncTimeLimit limit = new SyncTimeLimit(Long.MAX_VALUE, null);

        private OfGuard() {}

        @Override
        public void fire() {
            limit.run();
        }

        @Override
        public boolean leave() {
            SyncTimeLimit.hold(limit, 1);
            return limit.leave(null);
        }
    }
}

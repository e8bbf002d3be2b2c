package io.tidegate.lease;

/** What happens to an offset whose attempt failed. */
public sealed interface FailResult {
    /** The stable code of the answer. */
    String code();

    /**
     * The lease stays with its token; try again when it is time.
     *
     * @param retryCount how many attempts have failed
     */
    record RetryScheduled(int retryCount) implements FailResult {
        @Override
        public String code() {
            return "RETRY_SCHEDULED";
        }
    }

    /** The offset has failed permanently, and the backlog is empty. */
    record GiveUpNoBacklog() implements FailResult {
        @Override
        public String code() {
            return "GIVE_UP_NO_BACKLOG";
        }
    }

    /** The offset has failed permanently. {@code offset} is at the head of the backlog: the one to ask for next. */
    record GiveUpNextHint(long offset) implements FailResult {
        @Override
        public String code() {
            return "GIVE_UP_NEXT_HINT";
        }
    }
}

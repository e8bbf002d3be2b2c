package io.tidegate.lease;

/** What is left in the domain after an offset was processed. */
public sealed interface SucceedResult {
    /** The stable code of the answer. */
    String code();

    /** The backlog is empty. */
    record NoBacklog() implements SucceedResult {
        @Override
        public String code() {
            return "NO_BACKLOG";
        }
    }

    /** {@code offset} is at the head of the backlog: the one to ask for next. */
    record NextHint(long offset) implements SucceedResult {
        @Override
        public String code() {
            return "NEXT_HINT";
        }
    }
}

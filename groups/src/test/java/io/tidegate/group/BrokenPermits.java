package io.tidegate.group;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The reference under one lock, in variants with one fault each, as permits with a queue often have. */
public enum BrokenPermits implements Bookkeeping.Factory {
    /** Looking for a free permit and taking it are two steps: two threads may take one permit. */
    LOOKS_THEN_TAKES {
        @Override
        public Locked create(int limit, int threshold, List<Bookkeeping.Limits> limits) {
            return new Locked(limit, threshold, limits) {
                @Override
                public GroupQueue.Admission admit(Entry entry) {
                    if (!locked(() -> mayStart(entry))) {
                        return super.admit(entry);
                    }
                    giveWay();
                    return locked(() -> {
                        start(entry);
                        return GroupQueue.Admission.STARTED;
                    });
                }
            };
        }
    },

    /**
     * Looking for a free permit and joining the queue are two steps: a permit may come back unseen in between.
     */
    LOOKS_THEN_WAITS {
        @Override
        public Locked create(int limit, int threshold, List<Bookkeeping.Limits> limits) {
            return new Locked(limit, threshold, limits) {
                @Override
                public GroupQueue.Admission admit(Entry entry) {
                    if (locked(() -> mayStart(entry) || !mayWait(entry))) {
                        return super.admit(entry);
                    }
                    giveWay();
                    return locked(() -> {
                        queue(entry);
                        return GroupQueue.Admission.WAITING;
                    });
                }
            };
        }
    },

    /** A permit is given back before the next waiting task is looked up: a newcomer may take it. */
    GIVES_BACK_THEN_LOOKS {
        @Override
        public Locked create(int limit, int threshold, List<Bookkeeping.Limits> limits) {
            return new Locked(limit, threshold, limits) {
                @Override
                public @Nullable Entry end(Entry entry) {
                    locked(() -> {
                        giveBack(entry);
                        return entry;
                    });
                    giveWay();
                    return locked(this::startNext);
                }
            };
        }
    },

    /**
     * A task that leaves the queue checks first whether it is there; it may be started in between, and its permits are
     * then lost.
     */
    LOOKS_THEN_LEAVES {
        @Override
        public Locked create(int limit, int threshold, List<Bookkeeping.Limits> limits) {
            return new Locked(limit, threshold, limits) {
                @Override
                public boolean withdraw(Entry entry) {
                    boolean waited = waits(entry);
                    giveWay();
                    super.withdraw(entry);
                    return waited;
                }
            };
        }
    },

    /** A permit goes to the group that was served last. */
    LAST_SERVED_FIRST {
        @Override
        public Locked create(int limit, int threshold, List<Bookkeeping.Limits> limits) {
            return new Locked(limit, threshold, limits) {
                @Override
                boolean isBefore(Group one, Group other) {
                    return super.isBefore(other, one);
                }
            };
        }
    },

    /** A permit goes to the task that has waited longest, so a group waits for the others' queues. */
    LONGEST_WAIT_FIRST {
        @Override
        public Locked create(int limit, int threshold, List<Bookkeeping.Limits> limits) {
            return new Locked(limit, threshold, limits) {
                @Override
                boolean isBefore(Group one, Group other) {
                    return one.waiting.getFirst().since < other.waiting.getFirst().since;
                }
            };
        }
    },

    /** A raised limit starts no task. */
    RAISES_IN_SILENCE {
        @Override
        public Locked create(int limit, int threshold, List<Bookkeeping.Limits> limits) {
            return new Locked(limit, threshold, limits) {
                private boolean silent;

                @Override
                @Nullable
                Entry startNext() {
                    return silent ? null : super.startNext();
                }

                @Override
                public List<Entry> setConcurrency(int group, int newLimit) {
                    return locked(() -> {
                        silent = true;
                        List<Entry> nobody = super.setConcurrency(group, newLimit);
                        silent = false;
                        return nobody;
                    });
                }
            };
        }
    },

    /** Running tasks count as waiting. */
    RUNNING_COUNT_AS_WAITING {
        @Override
        public Locked create(int limit, int threshold, List<Bookkeeping.Limits> limits) {
            return new Locked(limit, threshold, limits) {
                @Override
                int queueLength(int group) {
                    return super.queueLength(group) + counts(group).running();
                }
            };
        }
    };

    @Override
    public abstract Locked create(int limit, int threshold, List<Bookkeeping.Limits> limits);

    /** The reference, safe for many threads. */
    static class Locked extends ReferenceGroups {
        private final ReentrantLock lock = new ReentrantLock();

        Locked(int limit, int threshold, List<Limits> limits) {
            super(limit, threshold, limits);
        }

        final <T extends @Nullable Object> T locked(Supplier<T> section) {
            lock.lock();
            try {
                return section.get();
            } finally {
                lock.unlock();
            }
        }

        /** Yields inside the gap, so that the fault is found sooner, on a busy machine too. */
        @SuppressWarnings("ThreadPriorityCheck") // puts nothing in order
        final void giveWay() {
            Thread.yield();
        }

        @Override
        public GroupQueue.Admission admit(Entry entry) {
            return locked(() -> super.admit(entry));
        }

        @Override
        public @Nullable Entry end(Entry entry) {
            return locked(() -> super.end(entry));
        }

        @Override
        public @Nullable Entry endBody(Entry entry) {
            return locked(() -> super.endBody(entry));
        }

        @Override
        public @Nullable Entry endFlight(Entry entry) {
            return locked(() -> super.endFlight(entry));
        }

        @Override
        public boolean withdraw(Entry entry) {
            return locked(() -> super.withdraw(entry));
        }

        @Override
        public List<Entry> setLimit(int newLimit) {
            return locked(() -> super.setLimit(newLimit));
        }

        @Override
        public List<Entry> setConcurrency(int group, int newLimit) {
            return locked(() -> super.setConcurrency(group, newLimit));
        }

        @Override
        public Counts counts(int group) {
            return locked(() -> super.counts(group));
        }

        @Override
        public int out() {
            return locked(super::out);
        }
    }
}

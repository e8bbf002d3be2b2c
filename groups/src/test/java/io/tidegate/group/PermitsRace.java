package io.tidegate.group;

import io.tidegate.race.Race;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Two threads and the bookkeeping alone: two groups of one permit each, and one permit in all. */
enum PermitsRace {
    /** A permit is given back while another group comes for it. */
    END_AGAINST_ADMIT {
        @Override
        <W> Race.Round round(Bookkeeping<W> permits) {
            return new Round<>(permits) {
                private final W running = admitted(0, 0);

                @Override
                public void first() {
                    endAllFrom(running);
                }

                @Override
                public void second() {
                    comeAndGo(1, 1);
                }
            };
        }
    },

    /** All waiting tasks leave while their permit comes. */
    END_AGAINST_WITHDRAW {
        @Override
        <W> Race.Round round(Bookkeeping<W> permits) {
            return new Round<>(permits) {
                private final W running = admitted(0, 0);
                private final List<W> waiting = List.of(admitted(1, 1), admitted(1, 2), admitted(0, 3));
                private final Set<Integer> left = ConcurrentHashMap.newKeySet();

                @Override
                public void first() {
                    endAllFrom(running);
                }

                @Override
                public void second() {
                    for (W task : waiting) {
                        if (permits.withdraw(task)) {
                            left.add(permits.number(task));
                        }
                    }
                }

                @Override
                public @Nullable String verdict() {
                    boolean once = waiting.stream()
                            .map(permits::number)
                            .allMatch(number -> left.contains(number) != started.contains(number));
                    return once ? super.verdict() : "left " + left + ", started " + started;
                }
            };
        }
    },

    /** The common limit is raised and lowered while permits change hands. */
    LIMIT_AGAINST_COME_AND_GO {
        @Override
        <W> Race.Round round(Bookkeeping<W> permits) {
            return new Round<>(permits) {
                private final W running = admitted(0, 0);
                private final W other = admitted(1, 1);

                @Override
                int mostOut() {
                    return 2;
                }

                @Override
                public void first() {
                    endAllFrom(running);
                    for (int i = 2; i < 6; i++) {
                        comeAndGo(0, i);
                    }
                }

                @Override
                public void second() {
                    permits.setLimit(2).forEach(this::endAllFrom);
                    permits.setLimit(1).forEach(this::endAllFrom);
                    comeAndGo(1, 6);
                    permits.setLimit(2).forEach(this::endAllFrom);
                }

                @Override
                public @Nullable String verdict() {
                    return started.contains(permits.number(other)) ? super.verdict() : "left alone";
                }
            };
        }
    },

    /** Two groups come and go for one permit. */
    COME_AND_GO {
        @Override
        <W> Race.Round round(Bookkeeping<W> permits) {
            return new Round<>(permits) {
                @Override
                public void first() {
                    for (int i = 0; i < 4; i++) {
                        comeAndGo(0, i);
                    }
                }

                @Override
                public void second() {
                    for (int i = 4; i < 8; i++) {
                        comeAndGo(1, i);
                    }
                }
            };
        }
    };

    private static final Bookkeeping.Limits LIMITS = new Bookkeeping.Limits(1, 1, GroupPolicy.UNLIMITED);

    abstract <W> Race.Round round(Bookkeeping<W> permits);

    Supplier<Race.Round> rounds(Bookkeeping.Factory factory) {
        return () -> round(factory.create(1, GroupPolicy.UNLIMITED, List.of(LIMITS, LIMITS)));
    }

    private abstract static class Round<W> implements Race.Round {
        final Bookkeeping<W> permits;
        final Set<Integer> started = ConcurrentHashMap.newKeySet();
        private volatile boolean tooMany;

        Round(Bookkeeping<W> permits) {
            this.permits = permits;
        }

        int mostOut() {
            return 1;
        }

        final W admitted(int group, int number) {
            W task = permits.task(group, number);
            permits.admit(task);
            return task;
        }

        final void comeAndGo(int group, int number) {
            W task = permits.task(group, number);
            if (permits.admit(task) == GroupQueue.Admission.STARTED) {
                endAllFrom(task);
            }
        }

        /** Ends the task, and then each task that this starts. */
        final void endAllFrom(W first) {
            for (W task = first; task != null; task = permits.end(task)) {
                started.add(permits.number(task));
                giveWay();
                tooMany |= permits.out() > mostOut();
            }
        }

        /** Gives the two threads a moment to meet in. */
        @SuppressWarnings("ThreadPriorityCheck") // puts nothing in order
        private static void giveWay() {
            Thread.yield();
        }

        @Override
        public @Nullable String verdict() {
            if (tooMany) {
                return "two at once";
            }
            String left = permits.counts(0) + ", " + permits.counts(1) + ", out " + permits.out();
            boolean clean = permits.out()
                                    + permits.counts(0).inFlight()
                                    + permits.counts(1).inFlight()
                            == 0
                    && permits.waiting() == 0;
            return clean ? null : left;
        }
    }
}

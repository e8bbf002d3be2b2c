package io.tidegate.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.race.Race;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Two threads that meet at the same instant, by the million or for as long as {@code tidegate.race.seconds} allows. */
class GroupRaceTest {
    private static final long ROUNDS = 1_000_000;

    private static void race(Supplier<Race.Round> next) {
        Duration limit = Duration.ofSeconds(Long.getLong("tidegate.race.seconds", 4));
        assertThat(Race.run(ROUNDS, limit, next)).isNull();
    }

    /** Who is in flight, by the bookkeeping alone: two lanes of one place each, and one place in all. */
    private abstract static class LaneRound implements Race.Round {
        final SharedPlaces shared = new SharedPlaces(1, GroupPolicy.UNLIMITED, System::nanoTime);
        final Lane one = lane("one");
        final Lane other = lane("other");

        private Lane lane(String key) {
            shared.addLane();
            return new Lane(shared, key, 1, 1, GroupPolicy.UNLIMITED);
        }

        static Waiter admitted(Lane lane) {
            Waiter waiter = new Waiter(lane);
            lane.admit(waiter);
            return waiter;
        }

        static void endAllFrom(@Nullable Waiter first) {
            for (Waiter waiter = first; waiter != null; ) {
                waiter = waiter.lane.end(waiter);
            }
        }

        @Override
        public @Nullable String verdict() {
            boolean clean = shared.out(0) == 0
                    && one.stats().inFlight() + one.stats().waiting() == 0
                    && other.stats().inFlight() + other.stats().waiting() == 0;
            return clean ? null : "out " + shared.out(0) + ", " + one.stats() + ", " + other.stats();
        }
    }

    @Test
    @DisplayName("GX-7 a place given back and a group that comes for it: nobody waits beside a free place")
    void endAgainstAdmit_oneSharedPlace_nobodyIsLeft() {
        race(() -> new LaneRound() {
            private final Waiter running = admitted(one);

            @Override
            public void first() {
                endAllFrom(one.end(running));
            }

            @Override
            public void second() {
                Waiter waiter = new Waiter(other);
                if (other.admit(waiter) == Lane.Admission.STARTED) {
                    endAllFrom(waiter);
                }
            }
        });
    }

    @Test
    @DisplayName("GX-7 GX-11 the head is withdrawn while its place comes")
    void endAgainstWithdraw_head_nobodyIsLeft() {
        race(() -> new LaneRound() {
            private final Waiter running = admitted(one);
            private final Waiter head = admitted(other);
            private final Waiter next = admitted(other);
            private final Waiter later = admitted(one);

            @Override
            public void first() {
                endAllFrom(one.end(running));
            }

            @Override
            public void second() {
                head.lane.withdraw(head); // if it was started, the other thread ends it
                next.lane.withdraw(next);
                later.lane.withdraw(later);
            }
        });
    }

    @Test
    @DisplayName("GX-3 GX-7 two groups come and go for one place")
    void comeAndGo_oneSharedPlace_nobodyIsLeft() {
        race(() -> new LaneRound() {
            @Override
            public void first() {
                comeAndGo(one);
            }

            @Override
            public void second() {
                comeAndGo(other);
            }

            private void comeAndGo(Lane lane) {
                for (int i = 0; i < 4; i++) {
                    Waiter waiter = new Waiter(lane);
                    if (lane.admit(waiter) == Lane.Admission.STARTED) {
                        endAllFrom(waiter);
                    }
                }
            }
        });
    }

    private static GroupPolicy.Builder policy() {
        return GroupPolicy.builder();
    }

    private static @Nullable String atRest(GroupExecutor executor) {
        GroupExecutorStats stats = executor.stats();
        boolean clean = stats.running() + stats.waiting() + stats.inFlight() == 0
                && stats.submitted() == stats.completed() + stats.rejected();
        return clean ? null : stats.toString();
    }

    @Test
    @DisplayName("GX-10 GX-11 cancel meets start: one end, and no interrupt for the next task")
    void cancelAgainstStart_task_endsOnce() {
        GroupExecutor executor = GroupExecutor.newVirtualThreadExecutor(policy().build());
        race(() -> new Race.Round() {
            private final AtomicInteger runs = new AtomicInteger();
            private final AtomicBoolean strayed = new AtomicBoolean();
            private final TaskHandle<Integer> task = executor.submit("group", "task", runs::incrementAndGet);
            private final TaskHandle<Boolean> next = executor.submit(
                    "group",
                    "next",
                    () -> strayed.getAndSet(Thread.currentThread().isInterrupted()));

            @Override
            public void first() {
                task.cancel(true);
            }

            @Override
            public void second() {
                next.join();
            }

            @Override
            public @Nullable String verdict() {
                TaskStatus status = task.join().status();
                boolean right = !strayed.get()
                        && next.isDone()
                        && status == (runs.get() == 1 ? TaskStatus.SUCCESS : TaskStatus.CANCELLED);
                return right ? atRest(executor) : status + ", " + runs + " runs, strayed " + strayed;
            }
        });
        executor.close();
    }

    @Test
    @DisplayName("GX-15 evict meets submit: the task runs, and limits hold")
    void evictAgainstSubmit_task_runsUnderLimits() {
        GroupExecutor executor = GroupExecutor.newVirtualThreadExecutor(policy().build());
        AtomicInteger inside = new AtomicInteger();
        race(() -> new Race.Round() {
            private final AtomicInteger most = new AtomicInteger();
            private final TaskHandle<Integer> before = executor.submit("group", "before", this::body);
            private @Nullable TaskHandle<Integer> task;

            private int body() {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                return inside.decrementAndGet();
            }

            @Override
            public void first() {
                task = executor.submit("group", "task", this::body);
            }

            @Override
            public void second() {
                executor.evictGroup("group");
            }

            @Override
            public @Nullable String verdict() {
                boolean right = before.join().status() == TaskStatus.SUCCESS
                        && task.join().status() == TaskStatus.SUCCESS
                        && most.get() == 1;
                return right ? atRest(executor) : task.join() + ", " + most + " at once";
            }
        });
        executor.evictGroup("group");
        assertThat(executor.stats().groups()).isZero();
        executor.close();
    }

    @Test
    @DisplayName("GX-17 shutdown meets submit: what was accepted ends, and close has waited for it")
    void closeAgainstSubmit_task_ends() {
        race(() -> new Race.Round() {
            private final GroupExecutor executor = GroupExecutor.newVirtualThreadExecutor(policy().build());
            private @Nullable TaskHandle<String> task;
            private boolean refused;

            @Override
            public void first() {
                try {
                    task = executor.submit("group", "task", () -> "done");
                } catch (IllegalStateException closed) {
                    refused = true;
                }
            }

            @Override
            public void second() {
                executor.close();
            }

            @Override
            public @Nullable String verdict() {
                if (refused) {
                    return atRest(executor);
                }
                return task.isDone() ? atRest(executor) : "not ended, " + executor.stats();
            }
        });
    }

    @Test
    @DisplayName("GX-16 shutdownGroup meets submit: every handle ends, and the group goes on")
    void shutdownGroupAgainstSubmit_task_ends() {
        GroupExecutor executor = GroupExecutor.newVirtualThreadExecutor(
                policy().globalMaxInFlight(2).build());
        race(() -> new Race.Round() {
            private final TaskHandle<String> before = executor.submit("group", "before", () -> "done");
            private @Nullable TaskHandle<String> task;

            @Override
            public void first() {
                task = executor.submit("group", "task", () -> "done");
            }

            @Override
            public void second() {
                executor.shutdownGroup("group");
            }

            @Override
            public @Nullable String verdict() {
                before.join();
                task.join();
                TaskStatus after =
                        executor.submit("group", "after", () -> "done").join().status();
                return after == TaskStatus.SUCCESS ? atRest(executor) : "after: " + after;
            }
        });
        executor.close();
    }
}

package io.tidegate.remote;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.stage.PendingNotifications;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Seeded scripts for a client whose executor delays, reorders and refuses, and whose timer is late. A thread can be
 * stopped in any code of users: the sink, the clock, the executor, a supplier or a continuation. What other threads do
 * meanwhile is played from inside that code.
 */
class ClientModelTest {
    private static final int SEEDS = Integer.getInteger("tidegate.clientSeeds", 300);
    private static final int STEPS = 60;
    private static final int DEEPEST = 3;

    @Test
    @DisplayName("RB-21 RB-17 RB-10 AB-12 threads stop anywhere: no permit is idle or lost, every wait ends in time")
    void anyScript_stoppedAnywhere_isRight() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Run run = new Run(seed);
            try {
                run.play();
            } catch (AssertionError | RuntimeException error) {
                throw new AssertionError("seed " + seed + " after " + run.story + ": " + error.getMessage(), error);
            }
        }
    }

    private static final class Request {
        private final String id;
        private final CompletableFuture<String> operation = new CompletableFuture<>();
        private @Nullable CompletableFuture<String> returned;
        private boolean entered;
        private int busy; // how many operations are at their beginning or end

        Request(String id) {
            this.id = id;
        }

        @Override
        public String toString() {
            return id;
        }
    }

    private record Due(Runnable task, long atMs) {}

    private static final class Run implements ClientBuilder.Timer {
        private final Random random;
        private final List<String> story = new ArrayList<>();
        private final List<BulkheadEvent> told = new ArrayList<>();
        private final List<Request> requests = new ArrayList<>();
        private final List<Runnable> starts = new ArrayList<>();
        private final List<Runnable> ends = new ArrayList<>();
        private final List<Due> timers = new ArrayList<>();
        private final long timeoutMs;
        private final boolean ownTime;
        private final PermitLifetime lifetime;
        private final RemoteBulkhead bulkhead;
        private final RemoteBulkheadClient client;
        private final RemoteCapability capability;
        private long nowMs = 1_000;
        private int handedOver; // given to the executor and not begun; requests that ended before that stay counted
        private int starting; // requests whose operation may be over, and whose end is about to be noticed
        private int inHaste; // depth of calls that must not block: a clock or an executor, for which a turn may wait
        private int depth;
        private int names;
        private boolean closing;
        private String idle = ""; // the fault found, kept because exceptions of user code are dropped

        Run(int seed) {
            random = new Random(seed);
            timeoutMs = 1L + random.nextInt(8);
            ownTime = random.nextBoolean();
            lifetime = random.nextBoolean() ? PermitLifetime.RETURNED_STAGE : PermitLifetime.OPERATION;
            bulkhead = RemoteBulkhead.builder(1 + random.nextInt(3))
                    .policy(BackpressurePolicy.queue(1 + random.nextInt(4), timeoutMs))
                    .eventCapacity(1 << 16)
                    .eventSink(this::tell)
                    .build();
            ClientBuilder builder = new ClientBuilder(bulkhead);
            builder.timer = this;
            client = builder.permitLifetime(lifetime)
                    .executor(this::execute)
                    .clock(this::readClock)
                    .build();
            capability = client.takeCapability();
        }

        void play() {
            for (int step = 0; step < STEPS; step++) {
                step();
            }
            closing = true;
            settle();
            requests.forEach(request -> request.operation.complete("last"));
            settle();
            nowMs += timeoutMs;
            settle();
            requests.forEach(request -> request.operation.complete("last"));
            settle();
            bulkhead.recordForegroundLatency(0);
            assertThat(requests)
                    .allMatch(request -> requireNonNull(request.returned).isDone());
            assertThat(bulkhead.inFlight()).as("in flight").isZero();
            assertThat(bulkhead.queueDepth()).as("waiting").isZero();
            assertThat(idle).isEmpty();
            assertThat(told).as("told").isEqualTo(bulkhead.events());
            LogCheck.check(bulkhead);
        }

        private void settle() {
            for (boolean more = true; more; ) {
                more = fire() || runOne(ends) || runOne(starts);
            }
        }

        // What users run, and where they may be stopped

        private void tell(BulkheadEvent event) {
            told.add(event);
            stop("sink");
        }

        private long readClock() {
            inHaste++;
            stop("clock");
            inHaste--;
            return nowMs;
        }

        private void execute(Runnable start) {
            if (!closing && random.nextInt(12) == 0) {
                throw new RejectedExecutionException();
            }
            starts.add(start);
            handedOver++;
            inHaste++;
            stop("executor");
            if (random.nextInt(4) == 0 && starts.remove(start)) {
                start.run();
            }
            inHaste--;
        }

        @Override
        public void schedule(Runnable task, long delayMs) {
            timers.add(new Due(task, nowMs + delayMs));
        }

        @Override
        public PendingNotifications end(Runnable wait) {
            if (!ownTime) {
                return PendingNotifications.ofEnd(wait);
            }
            ends.add(wait);
            return PendingNotifications.NONE;
        }

        private void stop(String where) {
            if (inHaste == 0) {
                lookForIdlePermits(where);
            }
            if (!closing && depth < DEEPEST && random.nextInt(5) == 0) {
                depth++;
                story.add("[" + where);
                step();
                story.add("]");
                depth--;
            }
        }

        /*
         * Checks that each permit that is out belongs to an operation that has begun, or that was given to the
         * executor.
         */
        private void lookForIdlePermits(String where) {
            long begun = requests.stream()
                    .filter(request -> request.entered && !isOver(request))
                    .count();
            long accounted = begun + handedOver + starting;
            if (bulkhead.inFlight() > accounted && idle.isEmpty()) {
                idle = bulkhead.inFlight() + " permits, " + accounted + " of them in use, in the " + where + " after "
                        + story;
            }
        }

        private boolean isOver(Request request) {
            CompletableFuture<String> returned = request.returned;
            boolean over = lifetime == PermitLifetime.OPERATION
                    ? request.operation.isDone()
                    : returned != null && returned.isDone();
            return over && request.busy == 0;
        }

        // Steps

        private void step() {
            switch (random.nextInt(9)) {
                case 0, 1, 2 -> submit();
                case 3 -> end();
                case 4 -> complete();
                case 5 -> {
                    nowMs += random.nextInt(4);
                    story.add("at " + nowMs);
                }
                case 6 -> fire();
                case 7 -> runOne(random.nextInt(3) == 0 ? ends : starts);
                default -> bulkhead.setMaxInFlight(1 + random.nextInt(3), nowMs);
            }
            if (depth == 0 && random.nextInt(3) == 0) {
                everyWaitIsInTime();
            }
        }

        /* Ends everything while the executor does nothing. */
        private void everyWaitIsInTime() {
            depth = DEEPEST; // from here on no thread is stopped
            nowMs++; // a timer is set for a millisecond at least
            while (fire() || runOne(ends)) {
                // until nothing is due
            }
            int events = bulkhead.events().size();
            bulkhead.pollQueued("stranger", nowMs - 1);
            assertThat(bulkhead.events())
                    .as("waits that were over and had not ended")
                    .hasSize(events);
            depth = 0;
        }

        private void submit() {
            Request request = new Request("r" + names++);
            story.add("submit " + request);
            requests.add(request);
            request.busy++;
            CompletableFuture<String> returned =
                    client.submit(capability, request.id, () -> begin(request)).toCompletableFuture();
            request.busy--;
            request.returned = returned;
            returned.whenComplete((value, error) -> {
                story.add(request + " ends");
                stop("continuation");
            });
        }

        private CompletionStage<String> begin(Request request) {
            request.entered = true;
            if (request.busy == 0) {
                handedOver--;
            }
            story.add(request + " begins");
            request.busy++;
            stop("supplier");
            request.busy--;
            switch (random.nextInt(6)) {
                case 0 -> request.operation.complete("at once");
                case 1 -> {
                    request.operation.complete("thrown");
                    throw new IllegalStateException();
                }
                default -> {}
            }
            return request.operation;
        }

        private void complete() {
            requests.stream()
                    .filter(request -> request.entered && !request.operation.isDone())
                    .skip(random.nextInt(2))
                    .findFirst()
                    .ifPresent(request -> {
                        story.add("complete " + request);
                        request.busy++;
                        request.operation.complete("done");
                        request.busy--;
                    });
        }

        private void end() {
            if (!requests.isEmpty()) {
                Request request = requests.get(random.nextInt(requests.size()));
                CompletableFuture<String> returned = request.returned;
                if (returned != null) {
                    story.add("cancel " + request);
                    returned.cancel(false);
                }
            }
        }

        private boolean fire() {
            for (Due due : timers) {
                if (due.atMs <= nowMs) {
                    timers.remove(due);
                    story.add("look");
                    due.task.run();
                    return true;
                }
            }
            return false;
        }

        private boolean runOne(List<Runnable> tasks) {
            if (tasks.isEmpty()) {
                return false;
            }
            Runnable task = tasks.remove(random.nextInt(tasks.size()));
            starting++;
            task.run();
            starting--;
            return true;
        }
    }
}

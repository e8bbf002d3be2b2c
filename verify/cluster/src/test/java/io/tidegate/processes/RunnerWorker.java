package io.tidegate.processes;

import io.tidegate.Backoff;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.Completion;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeaseRunnerListener;
import io.tidegate.lease.LeasedWork;
import io.tidegate.lease.PermanentFailure;
import io.tidegate.lease.RetryAfter;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.SucceedResult;
import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Follows one order with a {@link LeaseRunner}, as a service does: offers the offsets that arrive, and leaves the rest
 * to the runner.
 */
final class RunnerWorker {
    /** The exit code of a process that was asked to stop, so that another one can take its place. */
    static final int DEPLOYED_EXIT = 98;

    static final int THREADS = 2;

    private static final Duration SWEEP_EVERY = Duration.ofMillis(200);
    private static final Backoff BACKOFF = Backoff.exponential(Duration.ofMillis(10), Duration.ofMillis(100));
    private static final int IDLE_MILLIS = 10;
    private static final int LONGEST_WORK_MILLIS = 15;
    private static final int LONGEST_PAUSE_MILLIS = 400;

    private final Order order;
    private final LeaseRunner runner;
    private final AttemptLog.Writer log;
    private final Map<String, Load.Item> items = new HashMap<>();
    private final List<Load.Item> toOffer = new ArrayList<>();
    private final Map<Load.Item, CompletionStage<Completion>> awaited = new HashMap<>();
    private final Set<Load.Item> replayed = new HashSet<>();
    private final Client client;
    private final Records records;
    private final SideLeases sideLeases;

    private RunnerWorker(
            Order order,
            Client client,
            Records records,
            AttemptLog.Writer log,
            ScheduledExecutorService pool,
            ScheduledExecutorService timer) {
        this.order = order;
        this.client = client;
        this.records = records;
        this.sideLeases = new SideLeases(order, client, records::noteSide, ThreadLocalRandom.current());
        this.log = log;
        int slot = WorkerProcess.slot(order.owner());
        for (Load.Item item : Load.of(order.seed()).items()) {
            items.put(name(item.domainId(), item.offset()), item);
            if (isOfferedBy(item, slot)) {
                toOffer.add(item);
            }
        }
        this.runner = LeaseRunner.builder(
                        records.recording(new ClientLease(order, client)), this::work, late(order, pool), timer)
                .sweepEvery(SWEEP_EVERY)
                .backoff(BACKOFF)
                .listener(new LeaseRunnerListener() {
                    @Override
                    public void onError(String domainId, Throwable error) {
                        if (!isAway(order, error)) {
                            crash(error);
                        }
                    }

                    @Override
                    public void onLetGo(String domainId, Throwable refusal) {
                        crash(refusal);
                    }
                })
                .build();
    }

    static void follow(Order order, Worker.Start start) throws IOException, InterruptedException {
        boolean deployed;
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(THREADS);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try (Client client = Worker.connect(order);
                Records records = new Records(order);
                AttemptLog.Writer log = new AttemptLog.Writer(order.recordsOf(Order.ATTEMPTS))) {
            long startNanos = start.await();
            deployed = new RunnerWorker(order, client, records, log, pool, timer).run(startNanos);
        } finally {
            pool.shutdownNow();
            timer.shutdownNow();
        }
        if (deployed) {
            Runtime.getRuntime().halt(DEPLOYED_EXIT);
        }
    }

    /**
     * Whether this worker offers the offset. All workers offer a third of them. Each of the others arrives at one
     * worker alone, in turn: other workers find it by a sweep.
     */
    static boolean isOfferedBy(Load.Item item, int slot) {
        int turn = item.arrivalMillis() * Lane.SLOTS / Load.ARRIVALS_MILLIS;
        return item.arrivalMillis() % 3 == 0 || turn == slot;
    }

    private static String name(String domainId, long offset) {
        return domainId + "/" + offset;
    }

    /** Returns an executor of two threads that get tasks late, some by more than a lease lasts. */
    private static Executor late(Order order, ScheduledExecutorService pool) {
        return task -> {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            long millis = switch (random.nextInt(16)) {
                case 0 -> order.leaseMillis() + random.nextLong(order.leaseMillis());
                case 1, 2, 3, 4, 5, 6 -> random.nextLong(30);
                default -> 0;
            };
            pool.schedule(task, millis, TimeUnit.MILLISECONDS);
        };
    }

    /** Whether the error means that the server was away. Hanging renewals are reported in the same way. */
    private static boolean isAway(Order order, Throwable error) {
        return error instanceof RuntimeException thrown
                && (order.engine().isAway(thrown)
                        || String.valueOf(thrown.getMessage()).startsWith("renewals: "));
    }

    /** Ends the process after an unexpected error, so that the test sees it. */
    private static void crash(Throwable error) {
        error.printStackTrace();
        Runtime.getRuntime().halt(1);
    }

    /** Runs until the end. Returns whether it was asked to stop before. */
    private boolean run(long startNanos) throws InterruptedException {
        try (runner) {
            while (!(toOffer.isEmpty() && order.mayEnd() && areOver())) {
                if (order.isToStop()) {
                    return true;
                }
                long elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
                toOffer.removeIf(item -> item.arrivalMillis() <= elapsed && isOffered(item));
                replayHopeless();
                if (ThreadLocalRandom.current().nextInt(4) == 0) {
                    tidyUp();
                }
                TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
            }
        }
        return false;
    }

    private boolean areOver() {
        return awaited.values().stream()
                .allMatch(end -> end.toCompletableFuture().isDone());
    }

    /**
     * Replays the offsets that always fail, once. Whether or not there was an answer, waits for their end: they may be
     * open again.
     */
    private void replayHopeless() {
        awaited.forEach((item, end) -> {
            boolean parked = end.toCompletableFuture().getNow(null) == Completion.PARKED;
            if (parked && item.course() == Load.Course.HOPELESS && !order.mayEnd() && replayed.add(item)) {
                asked(() -> runner.replay(item.domainId(), item.offset()));
                toOffer.add(item);
            }
        });
    }

    /** Does what an operator does meanwhile: forgets domains in which all work has ended, and uses other leases. */
    private void tidyUp() {
        List<Load.Item> all = Load.of(order.seed()).items();
        String domainId =
                all.get(ThreadLocalRandom.current().nextInt(all.size())).domainId();
        List<Load.Item> its =
                all.stream().filter(item -> item.domainId().equals(domainId)).toList();
        asked(() -> {
            SharedWorkLease lease = new ClientLease(order, client);
            if (lease.inspect(domainId)
                    .filter(seen -> Run.isOver(seen, its.size()))
                    .isPresent()) {
                records.recording(lease)
                        .forget(domainId, its.get(its.size() - 1).offset());
            }
        });
        sideLeases.step();
    }

    /** Whether there was an answer. */
    private boolean asked(Runnable question) {
        try {
            question.run();
            return true;
        } catch (RuntimeException thrown) {
            if (!order.engine().isAway(thrown)) {
                throw thrown;
            }
            return false;
        }
    }

    /**
     * Offers an offset; returns false if the server was away. For half of the offsets nothing waits here, so only the
     * runner asks for them.
     */
    private boolean isOffered(Load.Item item) {
        try {
            if (item.arrivalMillis() % 2 == 0 && !replayed.contains(item)) {
                runner.offer(item.domainId(), item.offset());
            } else {
                awaited.put(
                        item,
                        runner.completion(item.domainId(), item.offset()).thenApply(end -> log.noteEnd(item, end)));
            }
            return true;
        } catch (BacklogOrderingException overtaken) {
            return false;
        } catch (RuntimeException thrown) {
            if (!order.engine().isAway(thrown)) {
                throw thrown;
            }
            return false;
        }
    }

    private void work(LeasedWork work) throws IOException, InterruptedException {
        log.begin(work);
        try (FencedResource.Writer resource = new FencedResource.Writer(order.resourcePort(), order.owner())) {
            attempt(work, items.get(name(work.domainId(), work.offset())).course(), resource);
        } finally {
            log.end(work); // what follows is the end of its lease
        }
        if (client.books().isPresent() && ThreadLocalRandom.current().nextInt(3) == 0) {
            book(work);
        }
    }

    /** Books the work. Some tasks do not commit, or fail after all writes: none of that may be there afterwards. */
    private void book(LeasedWork work) {
        boolean fails = work.retryCount() == 0 && ThreadLocalRandom.current().nextInt(4) == 0;
        Books.Entry entry = new Books.Entry(work.domainId(), work.offset(), work.fence());
        try {
            records.book(client, entry, work.token(), (lease, connection) -> {
                SucceedResult answer = lease.succeed(connection, work);
                if (fails) {
                    throw new RolledBack();
                }
                return answer;
            });
        } catch (RolledBack undone) {
            if (ThreadLocalRandom.current().nextBoolean()) {
                throw undone;
            }
        }
    }

    /** The transaction is rolled back although the success was answered. */
    private static final class RolledBack extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;
    }

    private void attempt(LeasedWork work, Load.Course course, FencedResource.Writer resource)
            throws IOException, InterruptedException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        write(work, resource, false);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_WORK_MILLIS));
        switch (course) {
            case DEADLY -> Runtime.getRuntime().halt(Worker.DEADLY_EXIT);
            case SLOW -> TimeUnit.MILLISECONDS.sleep(order.leaseMillis() * 5 / 3);
            case HOPELESS ->
                throw random.nextInt(3) == 0 ? new PermanentFailure("hopeless") : new IllegalStateException("hopeless");
            case FLAKY -> {
                if (work.retryCount() == 0) {
                    throw random.nextBoolean()
                            ? new RetryAfter(Duration.ofMillis(random.nextInt(LONGEST_PAUSE_MILLIS)))
                            : new IllegalStateException("flaky");
                }
            }
            case QUICK -> {}
        }
        write(work, resource, true);
    }

    /**
     * Writes to the resource. A worker whose write was refused knows that its lease is lost; some report a success
     * nevertheless.
     */
    private static void write(LeasedWork work, FencedResource.Writer resource, boolean last) throws IOException {
        if (!resource.write(work.domainId(), work.offset(), work.fence(), last)
                && ThreadLocalRandom.current().nextBoolean()) {
            throw new IllegalStateException("refused by the resource");
        }
    }
}

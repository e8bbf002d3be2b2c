package io.tidegate.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.SharedWorkLease.BatchAnswer;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import io.tidegate.lease.SucceedResult;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Follows one order: asks for all the work of a run again and again, and does the work that it gets, until it knows
 * that all work has ended and may end itself.
 */
final class Worker {
    /** The exit code of a process that was killed by its work. */
    static final int DEADLY_EXIT = 99;

    private static final int IDLE_MILLIS = 12;
    private static final int LONGEST_WORK_MILLIS = 15;
    private static final int MOST_REPETITIONS = 30;
    private static final int LARGEST_BATCH = 4;

    /**
     * Reports that the worker is ready. Waits for the time at which the run began, by the monotonic clock of the
     * machine.
     */
    interface Start {
        long await() throws IOException;
    }

    /** A lease that this worker believes to have. */
    private record Held(Load.Item item, String token, long fence) {}

    private final Order order;
    private final long startNanos;
    private final Client client;
    private final Records records;
    private final FencedResource.Writer resource;
    private final SplittableRandom random;
    private final List<Load.Item> all;
    private final Set<Load.Item> open;
    private final Map<String, Long> hints = new HashMap<>();
    private final Map<String, Integer> failures = new HashMap<>();
    private final Set<Load.Item> failed = new LinkedHashSet<>();
    private final Set<Load.Item> replayed = new LinkedHashSet<>();
    private final SideLeases sideLeases;

    private Worker(Order order, Client client, Records records, FencedResource.Writer resource, long startNanos) {
        this.order = order;
        this.startNanos = startNanos;
        this.client = client;
        this.records = records;
        this.resource = resource;
        this.random = new SplittableRandom(order.seed() * 31 + order.owner().hashCode());
        this.all = Load.of(order.seed()).items();
        this.open = new LinkedHashSet<>(all);
        this.sideLeases = new SideLeases(
                order, client, records::noteSide, new Random(order.owner().hashCode()));
    }

    static void follow(Order order, Start start) throws IOException, InterruptedException {
        try (Client client = connect(order);
                Records records = new Records(order);
                FencedResource.Writer resource = new FencedResource.Writer(order.resourcePort(), order.owner())) {
            new Worker(order, client, records, resource, start.await()).run();
        }
    }

    static synchronized void append(OutputStream file, String line) {
        try {
            file.write((line + "\n").getBytes(UTF_8));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Waits longer in each try: on a busy machine the first connection of a process takes long. */
    static Client connect(Order order) throws InterruptedException {
        for (Order patient = order; ; patient = patient.morePatient()) {
            try {
                return patient.engine().connect(patient);
            } catch (RuntimeException away) {
                if (!order.engine().isAway(away)) {
                    throw away;
                }
                TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
            }
        }
    }

    private void run() throws IOException, InterruptedException {
        while (!open.isEmpty() || !order.mayEnd()) {
            List<Load.Item> arrived = open.isEmpty() ? all : arrived();
            if (order.twin() == Twin.NONE && random.nextInt(10) == 0) {
                tidyUp();
            } else if (arrived.isEmpty()) {
                idle();
            } else if (random.nextInt(10) == 0) {
                doAll(arrived);
            } else {
                doOne(choice(arrived));
            }
        }
    }

    /** Does what an operator does meanwhile. */
    private void tidyUp() {
        switch (random.nextInt(4)) {
            case 0 -> forget();
            case 1 -> replay();
            default -> sideLeases.step();
        }
    }

    /** Forgets offsets of some domain, up to the first one that is not known to have ended. */
    private void forget() {
        String domainId = all.get(random.nextInt(all.size())).domainId();
        List<Load.Item> ended = all.stream()
                .filter(item -> item.domainId().equals(domainId))
                .sorted(Comparator.comparingLong(Load.Item::offset))
                .takeWhile(item -> !open.contains(item))
                .toList();
        if (!ended.isEmpty()) {
            asked(() -> {
                lease().forget(domainId, ended.get(ended.size() - 1).offset());
                return true;
            });
        }
    }

    /** Replays an offset that always fails, once. Whether or not there is an answer, the offset may be open again. */
    private void replay() {
        for (Load.Item item : failed) {
            if (item.course() == Load.Course.HOPELESS && !order.mayEnd() && replayed.add(item)) {
                asked(() -> lease().replay(item.domainId(), item.offset()));
                open.add(item);
            }
        }
    }

    private List<Load.Item> arrived() {
        long elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        return open.stream().filter(item -> item.arrivalMillis() <= elapsed).toList();
    }

    /** Returns the offset that is next in its domain, if an answer showed it, or any offset. */
    private Load.Item choice(List<Load.Item> arrived) {
        Load.Item any = arrived.get(random.nextInt(arrived.size()));
        Long hint = hints.remove(any.domainId());
        return arrived.stream()
                .filter(item -> item.domainId().equals(any.domainId()) && hint != null && item.offset() == hint)
                .findFirst()
                .orElse(any);
    }

    private void idle() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(1 + random.nextInt(2 * IDLE_MILLIS));
    }

    private void doOne(Load.Item item) throws IOException, InterruptedException {
        Optional<BatchAnswer<AcquireResult>> answer =
                asked(() -> BatchAnswer.of(() -> lease().tryAcquire(item.domainId(), item.offset())));
        Optional<Held> held = answer.flatMap(given -> heard(item, given));
        if (held.isEmpty()) {
            idle();
        } else if (attempt(held.get())) {
            succeed(held.get());
        }
    }

    private void doAll(List<Load.Item> arrived) throws IOException, InterruptedException {
        Set<Load.Item> batch = new LinkedHashSet<>();
        int size = 1 + random.nextInt(LARGEST_BATCH);
        for (int i = 0; i < size; i++) {
            batch.add(choice(arrived));
        }
        List<Load.Item> items = List.copyOf(batch);
        List<Offer> offers = items.stream()
                .map(item -> new Offer(item.domainId(), item.offset()))
                .toList();
        Optional<List<BatchAnswer<AcquireResult>>> answers = asked(() -> lease().tryAcquireAll(offers));
        List<Finish> finishes = new ArrayList<>();
        for (int i = 0; answers.isPresent() && i < items.size(); i++) {
            Optional<Held> held = heard(items.get(i), answers.get().get(i));
            if (held.isPresent() && attempt(held.get())) {
                finishes.add(new Finish(items.get(i).domainId(), held.get().token()));
            }
        }
        if (finishes.isEmpty()) {
            idle();
        } else {
            repeated(() -> lease().succeedAll(finishes));
        }
    }

    private SharedWorkLease lease() {
        return records.recording(client.lease());
    }

    /** Returns the server's answer; empty if the server is away. */
    private <T> Optional<T> asked(Supplier<T> question) {
        try {
            return Optional.of(question.get());
        } catch (RuntimeException thrown) {
            if (!order.engine().isAway(thrown) && !(thrown instanceof TwoStepFinish.Interrupted)) {
                throw thrown;
            }
            client.noteAway();
            return Optional.empty();
        }
    }

    /** Asks until there is an answer, but not for ever. */
    private <T> Optional<T> repeated(Supplier<T> question) throws InterruptedException {
        Optional<T> answer = asked(question);
        for (int i = 1; answer.isEmpty() && i < MOST_REPETITIONS; i++) {
            idle();
            answer = asked(question);
        }
        return answer;
    }

    private Optional<Held> heard(Load.Item item, BatchAnswer<AcquireResult> answer) {
        if (answer.refusal().orElse(null) instanceof BacklogOrderingException disorder) {
            hints.put(item.domainId(), disorder.expected());
        }
        return answer.result().flatMap(result -> {
            if (result instanceof AcquireResult.Acquired acquired) {
                return Optional.of(new Held(item, acquired.token(), acquired.fence()));
            }
            if (result instanceof AcquireResult.AlreadyAcquired already) {
                return Optional.of(new Held(item, already.token(), already.fence()));
            }
            if (result instanceof AcquireResult.AlreadyFailed) {
                failed.add(item);
            }
            if (result instanceof AcquireResult.AlreadyProcessed || result instanceof AcquireResult.AlreadyFailed) {
                open.remove(item);
            }
            return Optional.empty();
        });
    }

    /** Runs an attempt. Returns whether to report a success. */
    private boolean attempt(Held held) throws IOException, InterruptedException {
        Load.Course course = held.item().course();
        if (!write(held, false)) {
            return isCareless();
        }
        TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_WORK_MILLIS));
        if (course == Load.Course.DEADLY) {
            Runtime.getRuntime().halt(DEADLY_EXIT);
        }
        if (course == Load.Course.SLOW && !prolonged(held)) {
            return false;
        }
        if (course == Load.Course.HOPELESS || (course == Load.Course.FLAKY && !failures.containsKey(held.token()))) {
            return fail(held) && attempt(held);
        }
        return write(held, true) || isCareless();
    }

    private boolean write(Held held, boolean last) throws IOException {
        return resource.write(held.item().domainId(), held.item().offset(), held.fence(), last);
    }

    /**
     * Whether to report a success although the lease is lost. A worker whose write was refused knows that it is lost.
     */
    private boolean isCareless() {
        return random.nextBoolean();
    }

    /** Whether the lease could be prolonged. */
    private boolean prolonged(Held held) throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            TimeUnit.MILLISECONDS.sleep(order.leaseMillis() / 3);
            Optional<BatchAnswer<Long>> answer =
                    asked(() -> BatchAnswer.of(() -> lease().renew(held.item().domainId(), held.token())));
            if (answer.isPresent() && answer.get().refusal().isPresent()) {
                return false;
            }
        }
        return true;
    }

    /** Reports a failure. Returns whether to try again. */
    private boolean fail(Held held) throws InterruptedException {
        int number = failures.merge(held.token(), 1, Integer::sum);
        Optional<BatchAnswer<FailResult>> answer =
                repeated(() -> BatchAnswer.of(() -> lease().fail(held.item().domainId(), held.token(), number)));
        if (answer.isEmpty()) {
            failures.put(held.token(), number - 1);
            return false;
        }
        return answer.get().result().orElse(null) instanceof FailResult.RetryScheduled;
    }

    /**
     * Reports a success, sometimes in a transaction. If the outcome of that is not known, reports it again without one.
     */
    private void succeed(Held held) throws InterruptedException {
        Optional<BatchAnswer<SucceedResult>> answer = Optional.empty();
        if (order.twin() == Twin.NONE && client.books().isPresent() && random.nextInt(4) == 0) {
            answer = asked(() -> BatchAnswer.of(() -> booked(held)));
        }
        if (answer.isEmpty()) {
            answer = repeated(
                    () -> BatchAnswer.of(() -> lease().succeed(held.item().domainId(), held.token())));
        }
        if (answer.isPresent() && answer.get().result().orElse(null) instanceof SucceedResult.NextHint next) {
            hints.put(held.item().domainId(), next.offset());
        }
    }

    private SucceedResult booked(Held held) {
        Books.Entry entry = new Books.Entry(held.item().domainId(), held.item().offset(), held.fence());
        return records.book(
                client,
                entry,
                held.token(),
                (lease, connection) -> lease.succeed(connection, entry.domainId(), held.token()));
    }
}

package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.cluster.CapStore;
import io.tidegate.cluster.ClusterBulkhead;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.RemoteCapability;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A random life of a cluster: some processes and their engine in one thread, with time that passes only when the script
 * says so. Messages are lost, late or slow; processes stop for a while, die and leave; the cap changes; load moves from
 * one process to another. Executors start late and in another order. A thread may stop wherever it calls other code:
 * meanwhile others go on and time passes. After every step, and whenever a process acts by itself, the script checks
 * that no more than the cap is in flight.
 */
final class ClusterScript {
    private static final String NAME = "pay";
    private static final long LEASE_MS = 1_000;
    private static final int STEPS = 150;
    private static final int DEEPEST = 2;
    private static final int SHIFT_ONE_IN = 30;
    private static final int STOP_ONE_IN = 60;

    /** A fault that a cluster can have. */
    enum Fault {
        /** A member counts its lease from the answer, not from the claim. */
        LEASE_FROM_ANSWER,
        /** The clock of a process stands still while the process is stopped. */
        CLOCK_STOPS_IN_PAUSE,
        /** The engine takes a permit back that it should only ask for. */
        SHRUNK_UNASKED,
        /** The engine ends leases by the clock of the member that asks. */
        CLIENT_CLOCK,
        /** A late claim counts as much as a new one. */
        LATE_CLAIMS_COUNT
    }

    /** More than the cap was in flight. */
    static final class Exceeded extends AssertionError {
        private static final long serialVersionUID = 1L;

        Exceeded(String message) {
            super(message);
        }
    }

    /** The engine could not be reached. */
    private static final class Away extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private record Task(long atMs, Runnable action) {}

    private final long seed;
    private final Random random;
    private final Set<Fault> faults;
    private final boolean strict;
    private final InMemoryCapStore engine;
    private final List<Member> members = new ArrayList<>();
    private final List<Member> leaving = new ArrayList<>();
    private final List<Task> late = new ArrayList<>();
    private long nowMs = 10_000;
    private long callersClockAheadMs;
    private long numbers;
    private int cap;
    private int bound;
    private int started;
    private int joined;
    private int depth;
    private boolean healed;
    private boolean looking;
    private int busy; // the member with most of the load

    ClusterScript(long seed, boolean strict, Fault... faults) {
        this.seed = seed;
        this.strict = strict;
        this.random = new Random(seed);
        this.faults = faults.length == 0 ? EnumSet.noneOf(Fault.class) : EnumSet.of(faults[0], faults);
        this.engine = new InMemoryCapStore(() -> nowMs + callersClockAheadMs);
        this.cap = 1 + random.nextInt(8);
        this.bound = cap;
        int count = 2 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            members.add(new Member());
        }
    }

    private static final class Running {
        final CompletableFuture<String> future = new CompletableFuture<>();
        CompletionStage<String> returned = future;
        boolean outlivedItsLease;
    }

    /** A process. */
    private final class Member implements CapStore {
        private final String owner = "m" + joined++;
        private final List<Task> tasks = new ArrayList<>();
        private final List<Running> running = new ArrayList<>();
        private final List<BulkheadEvent> events = new ArrayList<>();
        private final long clockAheadMs = random.nextInt(3) == 0 ? 60_000 : 0;
        private final List<Running> submitted = new ArrayList<>();
        private long stoodStillMs;
        private int lapses; // how often its lease has ended
        private int lapsesWhenRead; // the same, when the present thread last read the time
        private boolean leased;
        private long pausedUntilMs;
        private boolean gone;
        private int served;
        private final boolean rejects = random.nextBoolean();
        private final ClusterBulkhead bulkhead;
        private final RemoteCapability capability;

        Member() {
            BackpressurePolicy policy =
                    rejects ? BackpressurePolicy.reject() : BackpressurePolicy.queue(20, 3 * LEASE_MS);
            ClusterBulkhead.Builder builder = ClusterBulkhead.builder(this, NAME, cap, scheduler())
                    .leaseDuration(Duration.ofMillis(LEASE_MS))
                    .policy(policy)
                    .executor(this::startLater)
                    .eventSink(this::note)
                    .ticker(this::readTime)
                    .random(random);
            bulkhead = (strict ? builder.strict() : builder).build();
            capability = bulkhead.takeCapability();
        }

        boolean runs() {
            return !gone && nowMs >= pausedUntilMs;
        }

        void submit() {
            submitted.removeIf(one -> one.returned.toCompletableFuture().isDone());
            Running one = new Running();
            one.returned = bulkhead.submit(capability, "r" + started++, () -> operate(one));
            submitted.add(one);
        }

        private CompletableFuture<String> operate(Running one) {
            // a stop between the last check and the operation's first step is a gap that every lease has
            one.outlivedItsLease = lapsesWhenRead != lapses;
            running.add(one);
            served++;
            return one.future;
        }

        void cancelOne() {
            if (!submitted.isEmpty()) {
                Running one = submitted.remove(random.nextInt(submitted.size()));
                one.returned.toCompletableFuture().cancel(false);
                running.remove(one); // its permit belongs to the returned stage
            }
        }

        private void startLater(Runnable start) {
            perhapsStop();
            if (healed || random.nextInt(3) == 0) {
                start.run();
            } else {
                tasks.add(new Task(nowMs + random.nextInt(3 * (int) LEASE_MS / 2), start));
            }
        }

        private void note(BulkheadEvent event) {
            events.add(event);
            perhapsStop();
        }

        private long readTime() {
            perhapsStop();
            long readMs = nowMs - stoodStillMs;
            lapsesWhenRead = lapses;
            perhapsStop();
            return TimeUnit.MILLISECONDS.toNanos(readMs);
        }

        /** Perhaps stops the present thread, or the whole process. */
        private void perhapsStop() {
            if (!healed && !looking && random.nextInt(STOP_ONE_IN) == 0) {
                if (random.nextBoolean()) {
                    pause(random.nextInt(2 * (int) LEASE_MS));
                }
                othersGoOn();
            }
        }

        /** Lets the others go on until this process goes on, too. */
        private void othersGoOn() {
            int read = lapsesWhenRead;
            meanwhile();
            while (nowMs < pausedUntilMs) {
                pass(pausedUntilMs - nowMs);
            }
            lapsesWhenRead = read;
        }

        void finishOne() {
            if (!running.isEmpty()) {
                running.remove(random.nextInt(running.size())).future.complete("done");
            }
        }

        void finishAll() {
            while (!running.isEmpty()) {
                finishOne();
            }
        }

        void pause(long ms) {
            pausedUntilMs = nowMs + ms;
            if (faults.contains(Fault.CLOCK_STOPS_IN_PAUSE)) {
                stoodStillMs += ms;
            }
        }

        /** How many operations may be in flight under its lease. Those beyond came too late to count. */
        int mayHave() {
            if (gone) {
                return 0;
            }
            ClusterBulkhead.Standing standing = bulkhead.standing();
            if (standing.leaseLeftMs() == 0) {
                lapses += leased ? 1 : 0;
                leased = false;
                running.forEach(one -> one.outlivedItsLease = true);
                return 0;
            }
            leased = true;
            int inTime =
                    (int) running.stream().filter(one -> !one.outlivedItsLease).count();
            return Math.max(standing.slice(), inTime);
        }

        private ScheduledExecutorService scheduler() {
            return (ScheduledExecutorService) Proxy.newProxyInstance(
                    ClusterScript.class.getClassLoader(),
                    new Class<?>[] {ScheduledExecutorService.class},
                    (proxy, method, args) -> {
                        long delayMs = ((TimeUnit) args[2]).toMillis((long) args[1]);
                        tasks.add(new Task(nowMs + delayMs, (Runnable) args[0]));
                        return null;
                    });
        }

        // The way to the engine and back

        @Override
        public Share claim(Claim claim) {
            long sentMs = nowMs;
            try {
                return carry(claim);
            } finally {
                if (faults.contains(Fault.LEASE_FROM_ANSWER)) {
                    stoodStillMs += nowMs - sentMs;
                }
            }
        }

        private Share carry(Claim claim) {
            if (healed) {
                return ask(claim);
            }
            switch (random.nextInt(10)) {
                case 0 -> throw new Away();
                case 1 -> {
                    late.add(new Task(nowMs + random.nextInt(2 * (int) LEASE_MS), () -> ask(claim)));
                    throw new Away();
                }
                case 2 -> {
                    ask(claim);
                    throw new Away();
                }
                case 3 -> othersGoOn();
                default -> {}
            }
            Share share = ask(claim);
            if (random.nextInt(10) == 0) {
                othersGoOn();
            }
            return share;
        }

        private Share ask(Claim asked) {
            boolean renumber = faults.contains(Fault.LATE_CLAIMS_COUNT) || faults.contains(Fault.SHRUNK_UNASKED);
            Claim claim = sent(asked, renumber ? ++numbers : asked.number());
            callersClockAheadMs = faults.contains(Fault.CLIENT_CLOCK) ? clockAheadMs : 0;
            Share share = engine.claim(claim);
            if (faults.contains(Fault.SHRUNK_UNASKED) && share.goal() < share.granted()) {
                engine.claim(
                        new Claim(NAME, owner, ++numbers, cap, share.goal(), 0, claim.need(), claim.exact(), LEASE_MS));
            }
            callersClockAheadMs = 0;
            return share;
        }

        /** Returns a claim with a name that is the same in each run of a seed. */
        private Claim sent(Claim claim, long number) {
            return new Claim(
                    claim.bulkhead(),
                    owner,
                    number,
                    claim.firstCap(),
                    claim.slice(),
                    claim.inUse(),
                    claim.need(),
                    claim.exact(),
                    claim.leaseMillis());
        }

        @Override
        public void leave(String bulkhead, String owner) {
            if (!healed && random.nextInt(4) == 0) {
                throw new Away();
            }
            engine.leave(bulkhead, this.owner);
        }

        @Override
        public void setCap(String bulkhead, int newCap) {
            engine.setCap(bulkhead, newCap);
        }

        @Override
        public boolean delete(String bulkhead) {
            return engine.delete(bulkhead);
        }

        @Override
        public Optional<Division> inspect(String bulkhead) {
            return engine.inspect(bulkhead);
        }
    }

    // Time

    private void pass(long ms) {
        long untilMs = nowMs + ms;
        for (Optional<Runnable> next = takeNext(untilMs); next.isPresent(); next = takeNext(untilMs)) {
            next.get().run();
            check();
        }
        nowMs = Math.max(nowMs, untilMs);
        check();
    }

    /**
     * Takes the next task, and moves the time on to when the task is due. A task of a stopped process is due when the
     * process goes on.
     */
    private Optional<Runnable> takeNext(long untilMs) {
        List<Task> due = new ArrayList<>(late);
        for (Member member : membersAndLeaving()) {
            if (!member.gone) {
                member.tasks.forEach(
                        task -> due.add(new Task(Math.max(task.atMs(), member.pausedUntilMs), task.action())));
            }
        }
        Optional<Task> next =
                due.stream().filter(task -> task.atMs() <= untilMs).min(Comparator.comparingLong(Task::atMs));
        next.ifPresent(task -> {
            nowMs = Math.max(nowMs, task.atMs());
            check();
            late.removeIf(other -> other.action().equals(task.action()));
            membersAndLeaving()
                    .forEach(member ->
                            member.tasks.removeIf(other -> other.action().equals(task.action())));
        });
        return next.map(Task::action);
    }

    /** Lets the others act while a message is under way. */
    private void meanwhile() {
        if (depth < DEEPEST && !members.isEmpty()) {
            depth++;
            for (int i = random.nextInt(8); i > 0; i--) {
                step();
            }
            depth--;
        }
    }

    // Steps

    private List<Member> membersAndLeaving() {
        List<Member> all = new ArrayList<>(members);
        all.addAll(leaving);
        return all;
    }

    private void step() {
        if (random.nextInt(SHIFT_ONE_IN) == 0) {
            busy = random.nextInt(members.size());
        }
        int who = random.nextBoolean() ? busy : random.nextInt(members.size());
        Member member = members.get(who % members.size());
        leaving.stream().filter(one -> random.nextInt(8) == 0 && one.runs()).forEach(Member::finishOne);
        int what = random.nextInt(100);
        if (what < 45) {
            if (member.runs()) {
                member.submit();
            }
        } else if (what < 67) {
            if (member.runs()) {
                member.finishOne();
            }
        } else if (what < 70) {
            if (member.runs()) {
                member.cancelOne();
            }
        } else if (what < 90) {
            pass(random.nextInt((int) LEASE_MS / 4));
        } else if (what < 93) {
            cap = 1 + random.nextInt(8);
            engine.setCap(NAME, cap);
        } else if (what < 96) {
            if (member.runs()) {
                member.pause(random.nextInt(2 * (int) LEASE_MS));
            }
        } else if (depth == 0) {
            replace(member, what < 98);
        }
        check();
    }

    private void replace(Member member, boolean inPeace) {
        if (inPeace && member.runs()) {
            member.bulkhead.close();
            leaving.add(member);
        } else {
            member.gone = true;
        }
        members.remove(member);
        members.add(new Member());
    }

    /** Audits all logs. */
    void audit() {
        members.forEach(member -> assertThat(BulkheadAudit.check(member.events, 0, BulkheadAudit.Source.CLUSTER_MEMBER))
                .as("seed %d", seed)
                .isEmpty());
    }

    private void check() {
        looking = true;
        int sum = membersAndLeaving().stream().mapToInt(Member::mayHave).sum();
        looking = false;
        if (sum > Math.max(bound, cap)) {
            throw new Exceeded("seed " + seed + ", " + nowMs + " ms: " + sum + " may be in flight under a cap of " + cap
                    + ", where " + bound + " were held");
        }
        bound = Math.max(
                cap,
                Math.min(
                        bound, engine.inspect(NAME).map(CapStore.Division::held).orElse(0)));
    }

    void play() {
        for (int i = 0; i < STEPS; i++) {
            step();
        }
    }

    // Progress

    /** Ends all faults, and removes what they left behind. */
    void heal() {
        healed = true;
        membersAndLeaving().forEach(member -> member.pausedUntilMs = 0);
        membersAndLeaving().forEach(Member::finishAll);
        for (int i = 0; i < 20; i++) {
            pass(LEASE_MS / 2);
            membersAndLeaving().forEach(Member::finishAll);
        }
    }

    /**
     * A member that wants everything gets it, except for one permit of each other member, if there are enough permits.
     */
    void oneWantsAll() {
        Member one = members.get(0);
        int keptByOthers = strict || members.size() > cap ? 0 : members.size() - 1;
        for (int i = 0; i < 40 && one.running.size() < cap - keptByOthers; i++) {
            one.submit();
            pass(LEASE_MS / 10);
        }
        assertThat(one.running)
                .as("seed %d: of a cap of %d, where others keep %d", seed, cap, keptByOthers)
                .hasSize(cap - keptByOthers);
        one.finishAll();
    }

    /** Each member gets something, while all want as much as they can get. */
    void allWantAll() {
        Queue<Member> unserved = new ArrayDeque<>(members);
        members.forEach(member -> member.served = 0);
        for (int i = 0; i < 60 * members.size(); i++) {
            members.forEach(member -> {
                while (member.running.size() < 2 * cap
                        && member.bulkhead.standing().waiting() < 5) {
                    int before = member.running.size();
                    member.submit();
                    if (member.running.size() == before) {
                        break;
                    }
                }
            });
            pass(LEASE_MS / 10);
            members.forEach(Member::finishOne);
        }
        // a member that takes single permits and does not wait is served only if one is free at that moment
        unserved.removeIf(member -> member.served > 0 || (strict && member.rejects));
        assertThat(unserved).as("seed %d: never served", seed).isEmpty();
        if (!strict && cap >= members.size()) {
            int fair = cap / members.size();
            members.forEach(member -> assertThat(member.bulkhead.standing().slice())
                    .as("seed %d: slice of one of %d under a cap of %d", seed, members.size(), cap)
                    .isGreaterThanOrEqualTo(fair));
        }
    }
}

package io.tidegate.lab.play;

import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.Registry;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.cluster.CapStore;
import io.tidegate.cluster.ClusterBulkhead;
import io.tidegate.lab.load.Time;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.RemoteCapability;
import io.tidegate.testkit.InMemoryCapStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Three members of a cluster that share one cap for one service. */
final class MembersStage implements Stage {
    static final String NAME = "cluster";
    static final int CAP = 12;
    static final int LOWERED = 6;

    private static final String BULKHEAD = "stock";
    private static final int MEMBERS = 3;
    private static final int MOST_CAP = 24;
    private static final int MOST_RATE = 90;
    private static final int EVEN_RATE = 15;
    private static final int BUSY_RATE = 60;
    private static final int LATENCY_MILLIS = 150;
    private static final int MAY_WAIT = 10;
    private static final int WAIT_MILLIS = 500;
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** Stands for one process of the cluster: it shares nothing but the store with the others. */
    private final class Member implements Part {
        private final int number;
        private final ScheduledExecutorService scheduler;
        private final ClusterBulkhead bulkhead;
        private final RemoteCapability capability;
        private final AtomicLong calls = new AtomicLong();
        private final Lane lane;
        private volatile boolean dead;

        Member(int number, Time time) {
            this.number = number;
            this.scheduler = Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("lab-member-" + number).factory());
            this.bulkhead = ClusterBulkhead.builder(store, BULKHEAD, CAP, scheduler)
                    .policy(BackpressurePolicy.queue(MAY_WAIT, WAIT_MILLIS))
                    .permitLifetime(PermitLifetime.OPERATION)
                    .leaseDuration(LEASE)
                    .build();
            this.capability = bulkhead.takeCapability();
            this.lane = new Lane(
                    "Member " + number, this::call, () -> bulkhead.standing().inFlight(), time);
        }

        private CompletionStage<Integer> call() {
            return bulkhead.submit(capability, "call-" + calls.incrementAndGet(), caller::call);
        }

        /** The bulkheads of all members have the same name, so each member has another name on the page. */
        @Override
        public String name() {
            return BULKHEAD + "-" + number;
        }

        @Override
        public String kind() {
            return bulkhead.kind();
        }

        @Override
        public void read(Reading to) {
            bulkhead.read(to);
        }

        /** Stops without leaving the cluster, like a process that is killed. */
        void die() {
            dead = true;
            registry.remove(this);
            scheduler.shutdownNow();
        }

        void close() {
            die();
            scheduler.close();
        }
    }

    private final Registry registry;
    private final CapStore store = new InMemoryCapStore(() -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    private final Caller caller;
    private final List<Member> members = new ArrayList<>();
    private volatile int firstRate = EVEN_RATE;

    MembersStage(Registry registry, Time time) throws IOException {
        this.registry = registry;
        ServiceWork work = new ServiceWork();
        work.capacity(CAP);
        work.latency(LATENCY_MILLIS);
        this.caller = new Caller(work);
        for (int number = 1; number <= MEMBERS; number++) {
            members.add(registry.add(new Member(number, time)));
        }
    }

    @Override
    public List<Slider> sliders() {
        return List.of(
                new Slider("cap", "Cap of all", "calls at once", 1, MOST_CAP, this::cap, this::cap),
                new Slider(
                        "first",
                        "Load of the first member",
                        "calls a second",
                        0,
                        MOST_RATE,
                        () -> firstRate,
                        rate -> firstRate = rate));
    }

    /** Gives the first member far more load than the others, or as much. */
    void busy(boolean busy) {
        firstRate = busy ? BUSY_RATE : EVEN_RATE;
    }

    /** Sets the cap of the cluster, through the first member. */
    void cap(int cap) {
        members.get(0).bulkhead.setMaxInFlight(cap);
    }

    int cap() {
        return store.inspect(BULKHEAD).map(CapStore.Division::cap).orElse(0);
    }

    /** Returns how many may be in flight in a member. */
    int slice(int number) {
        Member member = members.get(number - 1);
        return member.dead ? 0 : member.bulkhead.standing().slice();
    }

    /** Returns how many permits are given out, including those of dead members. */
    int held() {
        return store.inspect(BULKHEAD).map(CapStore.Division::held).orElse(0);
    }

    /** Returns how many members the cluster has, including dead ones until their lease has ended. */
    int members() {
        return store.inspect(BULKHEAD)
                .map(division -> division.members().size())
                .orElse(0);
    }

    int inside() {
        return caller.inside();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "Three members that share one cap";
    }

    @Override
    public void tick() {
        for (Member member : members) {
            if (!member.dead) {
                member.lane.send(member.number == 1 ? firstRate : EVEN_RATE);
            }
        }
    }

    @Override
    public List<Lane> lanes() {
        return members.stream().map(member -> member.lane).toList();
    }

    @Override
    public Map<String, Object> more() {
        return Map.of(
                "rows",
                List.of(
                        row("Cap of all", cap()),
                        sliceRow(1),
                        sliceRow(2),
                        sliceRow(3),
                        row("Inside the service", inside())));
    }

    private Map<String, Object> sliceRow(int number) {
        return row("Slice of member " + number, members.get(number - 1).dead ? "killed" : slice(number));
    }

    static Map<String, Object> row(String label, Object value) {
        return Map.of("label", label, "value", value);
    }

    @Override
    public boolean canKill() {
        return true;
    }

    /** Kills the last living member. The first one stays, because it has the load of the tour. */
    @Override
    public String kill() {
        for (int number = MEMBERS; number > 1; number--) {
            Member member = members.get(number - 1);
            if (!member.dead) {
                member.die();
                return "member " + number;
            }
        }
        throw new IllegalArgumentException("kill: member 1 (expected: one that is not the last)");
    }

    @Override
    public void close() {
        caller.close();
        members.forEach(Member::close);
    }
}

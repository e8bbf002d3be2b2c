package io.tidegate.scale;

import io.tidegate.cluster.CapStore;
import io.tidegate.cluster.ClusterBulkhead;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.RemoteCapability;
import io.tidegate.testkit.InMemoryCapStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Many members of one cap: how well they use it, how fairly they share it, and how many questions they ask the engine.
 */
final class CapScale {
    private static final String NAME = "shared";
    private static final int SAMPLES_PER_SECOND = 20;
    private static final double FOLLOWED = 0.9;

    /**
     * The size of the simulation.
     *
     * @param seconds of a phase
     */
    record Size(int members, int cap, Duration lease, Duration operation, Duration roundTrip, int seconds) {
        static final Size FULL =
                new Size(1_000, 10_000, Duration.ofSeconds(10), Duration.ofMillis(500), Duration.ofMillis(2), 30);

        /** The same with a tenth of the members and of the cap. */
        static final Size QUICK = FULL.with(100, 1_000, 20);

        Size with(int someMembers, int someCap, int someSeconds) {
            return new Size(someMembers, someCap, lease, operation, roundTrip, someSeconds);
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%,d members, a cap of %,d, leases of %d s, operations of %d ms, round trips of %d ms",
                    members,
                    cap,
                    lease.toSeconds(),
                    operation.toMillis(),
                    roundTrip.toMillis());
        }
    }

    private final Size size;
    private final BackpressurePolicy policy;
    private final SplittableRandom random;
    private final Consumer<String> progress;
    private final VirtualTime time = new VirtualTime();
    private final CapStore engine = new InMemoryCapStore(time::millis);
    private final List<Member> members = new ArrayList<>();
    private final Figures figures = new Figures();
    private long claims;
    private int inFlight;
    private int mostInFlight;
    private double requestsPerSecond;

    /** What a single process with the whole cap would have in flight, and would refuse. */
    private int inFlightOfOne;

    private long refusedByOne;

    CapScale(Size size, BackpressurePolicy policy, long seed, Consumer<String> progress) {
        this.size = size;
        this.policy = policy;
        this.random = new SplittableRandom(seed);
        this.progress = progress;
    }

    /** Returns the greatest number that was in flight in all members together. */
    int mostInFlight() {
        return mostInFlight;
    }

    /** Returns what all living members hold together. */
    int sliced() {
        return members.stream()
                .mapToInt(member -> member.bulkhead.standing().slice())
                .sum();
    }

    /** Runs all phases. */
    Figures run() {
        for (int i = 0; i < size.members(); i++) {
            Member member = new Member(i);
            members.add(member);
            time.after(random.nextLong(TimeUnit.SECONDS.toNanos(1)), member::start);
        }
        time.passMillis(2_000);
        requestOn();
        int busy = Math.max(1, size.members() / 10);
        load(0, size.members(), 0.8);
        phase("80 %, even");
        load(0, size.members(), 0.09);
        load(0, busy, 0.81);
        phase("90 %, mostly from a tenth of members");
        load(0, size.members(), 0.09);
        load(busy, 2 * busy, 0.81);
        phase("the same from another tenth");
        load(0, size.members(), 1.2);
        phase("120 %, even");
        for (int i = 0; i < size.members() / 3; i++) {
            members.remove(random.nextInt(members.size())).kill();
        }
        load(0, members.size(), 1.2);
        phase("a third dies");
        return figures;
    }

    /**
     * Makes these members want this share of the cap together, each the same part. Members before them want no less
     * than before.
     */
    private void load(int from, int to, double part) {
        for (int i = from; i < to; i++) {
            members.get(i).wants = part * size.cap() / (to - from);
        }
        requestsPerSecond = members.stream().mapToDouble(member -> member.wants).sum()
                * 1e3
                / size.operation().toMillis();
        cumulate();
    }

    private double[] upTo = {};

    private void cumulate() {
        upTo = new double[members.size()];
        double sum = 0;
        for (int i = 0; i < upTo.length; i++) {
            sum += members.get(i).wants;
            upTo[i] = sum;
        }
    }

    private void requestOn() {
        if (requestsPerSecond > 0) {
            double at = random.nextDouble() * upTo[upTo.length - 1];
            int found = Arrays.binarySearch(upTo, at);
            members.get(Math.min(upTo.length - 1, found < 0 ? -found - 1 : found))
                    .request();
            requestOfOne();
        }
        double seconds = -Math.log(1 - random.nextDouble()) / Math.max(1, requestsPerSecond);
        time.after((long) (seconds * 1e9), this::requestOn);
    }

    private void requestOfOne() {
        if (inFlightOfOne == size.cap()) {
            refusedByOne++;
        } else {
            inFlightOfOne++;
            time.after(size.operation().toNanos(), () -> inFlightOfOne--);
        }
    }

    /** Computes what each member would have if the cap were divided as fairly as possible. */
    private void divide() {
        double rest = size.cap();
        int left = members.size();
        for (Member member : members.stream()
                .sorted(Comparator.comparingDouble(one -> one.wants))
                .toList()) {
            member.fairBefore = member.fair;
            member.fair = Math.min(member.wants, rest / left--);
            rest -= member.fair;
        }
    }

    private void phase(String name) {
        divide();
        members.forEach(member -> {
            member.requests = 0;
            member.served = 0;
            member.refused = 0;
        });
        double[] growing = new double[size.seconds() * SAMPLES_PER_SECOND];
        long claimsBefore = claims;
        long refusedByOneBefore = refusedByOne;
        double used = 0;
        double usedByOne = 0;
        long mostClaims = 0;
        for (int second = 1; second <= size.seconds(); second++) {
            progress.accept("cap: " + name + ", second " + second);
            long before = claims;
            for (int i = 0; i < SAMPLES_PER_SECOND; i++) {
                time.passMillis(1_000 / SAMPLES_PER_SECOND);
                used += inFlight;
                usedByOne += inFlightOfOne;
                growing[(second - 1) * SAMPLES_PER_SECOND + i] = slicesThatGrow();
            }
            mostClaims = Math.max(mostClaims, claims - before);
        }
        double[] parts = members.stream()
                .filter(member -> member.requests > 0)
                .mapToDouble(Member::partOfFair)
                .toArray();
        long requests = members.stream().mapToLong(member -> member.requests).sum();
        long refused = members.stream().mapToLong(member -> member.refused).sum();
        double seconds = size.seconds();
        figures.phase(name);
        figures.add("in flight, compared with one process", Figures.percent(used, usedByOne));
        figures.add("fairness (Jain)", String.format(Locale.ROOT, "%.3f", jain(parts)));
        figures.add(
                "worst member, share of its fair part",
                Figures.percent(Arrays.stream(parts).min().orElse(0), 1));
        figures.add("refused", Figures.percent(refused, requests));
        figures.add(
                "refused beyond what one process would refuse",
                Figures.percent(refused - (refusedByOne - refusedByOneBefore), requests));
        figures.add("claims/s", (claims - claimsBefore) / seconds);
        figures.add("peak", mostClaims);
        figures.add("seconds until a member has 90 % of its need", followedAfter(growing));
    }

    /* Returns after which sample the members had what they have in the end. */
    private static double followedAfter(double[] samples) {
        int sample = 0;
        while (samples[sample] < FOLLOWED * samples[samples.length - 1]) {
            sample++;
        }
        return (sample + 1.0) / SAMPLES_PER_SECOND;
    }

    private double slicesThatGrow() {
        return members.stream()
                .filter(member -> member.fair > member.fairBefore)
                .mapToDouble(member -> member.bulkhead.standing().slice())
                .sum();
    }

    private static double jain(double[] parts) {
        double sum = Arrays.stream(parts).sum();
        double squares = Arrays.stream(parts).map(part -> part * part).sum();
        return sum * sum / parts.length / squares;
    }

    /** A process, and the engine in its view. */
    private final class Member implements CapStore {
        private final String owner;
        private ClusterBulkhead bulkhead;
        private RemoteCapability capability;
        private boolean dead;
        private int running;
        private long ids;

        double wants;
        double fair;
        double fairBefore;
        long requests;
        long served;
        long refused;

        @SuppressWarnings("NullAway") // start sets it
        Member(int number) {
            this.owner = String.format(Locale.ROOT, "m%06d", number);
        }

        void start() {
            bulkhead = ClusterBulkhead.builder(
                            this,
                            NAME,
                            size.cap(),
                            time.scheduler(size.roundTrip().toNanos(), () -> !dead))
                    .policy(policy)
                    .leaseDuration(size.lease())
                    .executor(start -> time.after(0, start))
                    .ticker(time::nanos)
                    .random(random)
                    .eventCapacity(1)
                    .latencyWindow(1)
                    .build();
            capability = bulkhead.takeCapability();
        }

        void kill() {
            dead = true;
            inFlight -= running;
        }

        void request() {
            requests++;
            bulkhead.submit(capability, "r" + ids++, this::operate).whenComplete((value, error) -> {
                if (error != null) {
                    refused++;
                }
            });
        }

        private CompletableFuture<String> operate() {
            CompletableFuture<String> operation = new CompletableFuture<>();
            running++;
            inFlight++;
            mostInFlight = Math.max(mostInFlight, inFlight);
            time.after(size.operation().toNanos(), () -> {
                if (!dead) {
                    running--;
                    inFlight--;
                    served++;
                    operation.complete("done");
                }
            });
            return operation;
        }

        /** Returns the served share of what a fair division would serve. */
        double partOfFair() {
            return Math.min(1, served / (requests * fair / wants));
        }

        /* Uses names that are the same in each run, so that the order of members is the same, too. */
        @Override
        public Share claim(Claim claim) {
            claims++;
            return engine.claim(new Claim(
                    claim.bulkhead(),
                    owner,
                    claim.number(),
                    claim.firstCap(),
                    claim.slice(),
                    claim.inUse(),
                    claim.need(),
                    claim.exact(),
                    claim.leaseMillis()));
        }

        @Override
        public void leave(String name, String left) {
            engine.leave(name, owner);
        }

        @Override
        public void setCap(String name, int cap) {
            engine.setCap(name, cap);
        }

        @Override
        public boolean delete(String name) {
            return engine.delete(name);
        }

        @Override
        public Optional<Division> inspect(String name) {
            return engine.inspect(name);
        }
    }
}

package io.tidegate.bench.engines;

import io.tidegate.cluster.CapStore;
import io.tidegate.cluster.CapStore.Claim;
import io.tidegate.cluster.CapStore.Share;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;

/** Members of one cap, whose claims workers make. */
final class ClaimsWay implements Way {
    static final Duration LEASE = Duration.ofSeconds(10);
    static final int LEAST_NEED = 5;
    static final int MOST_NEED = 15;

    private static final int PERMITS_PER_MEMBER = 10;

    private final CapStore store;
    private final String name;
    private final List<Member> members;

    ClaimsWay(CapStore store, int members) {
        this.store = store;
        this.name = "cap-of-" + members;
        this.members = IntStream.range(0, members).mapToObj(Member::new).toList();
    }

    int members() {
        return members.size();
    }

    @Override
    public String label() {
        return String.format(Locale.ROOT, "%,d members", members());
    }

    @Override
    public Running start(Load load) {
        return Workers.start(load, worker -> {
            IntSupplier mine = load.domainsOf(worker);
            return () -> {
                members.get(mine.getAsInt()).claim();
                return 1;
            };
        });
    }

    /** A member, which one worker at a time uses. */
    private final class Member {
        private final String owner;
        private volatile long number;
        private volatile int slice;

        Member(int index) {
            this.owner = "member-" + index;
        }

        @SuppressWarnings("NonAtomicOperationOnVolatileField") // workers use a member one after the other
        void claim() {
            int need = ThreadLocalRandom.current().nextInt(LEAST_NEED, MOST_NEED + 1);
            int cap = PERMITS_PER_MEMBER * members();
            int inUse = Math.min(slice, need);
            Share share =
                    store.claim(new Claim(name, owner, ++number, cap, slice, inUse, need, false, LEASE.toMillis()));
            slice = Math.min(share.granted(), share.goal());
        }
    }
}

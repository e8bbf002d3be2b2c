package io.tidegate.processes;

import io.tidegate.cluster.CapStore.Claim;
import io.tidegate.cluster.CapStore.Share;

/** Which store of shared caps runs: ours, or a broken one that a run must catch. */
enum CapTwin {
    /** Our store. */
    NONE,
    /** A slice goes on after its lease has ended, even if another member has it by then. */
    RENEWS_WHAT_HAS_ENDED {
        @Override
        Share answered(Claim claim, Share share) {
            int slice = Math.max(share.granted(), claim.slice());
            return new Share(slice, Math.max(share.goal(), slice), share.cap());
        }
    },
    /** The engine's lease is shorter than the member's. */
    LEASES_END_EARLY {
        @Override
        Claim sent(Claim claim) {
            return new Claim(
                    claim.bulkhead(),
                    claim.owner(),
                    claim.number(),
                    claim.firstCap(),
                    claim.slice(),
                    claim.inUse(),
                    claim.need(),
                    claim.exact(),
                    claim.leaseMillis() / 4);
        }
    };

    Claim sent(Claim claim) {
        return claim;
    }

    Share answered(Claim claim, Share share) {
        return share;
    }
}

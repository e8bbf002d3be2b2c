package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.cluster.CapStore;
import io.tidegate.cluster.CapStore.Claim;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Shows that the contract finds what an engine can get wrong. */
class BrokenCapStoreTest {
    /** The contract, for an engine with a fault. */
    private static final class Contract extends CapStoreContract {
        private final UnaryOperator<CapStore> fault;
        private long nowMs = 1_000;

        Contract(UnaryOperator<CapStore> fault) {
            this.fault = fault;
        }

        @Override
        protected CapStore open() {
            return fault.apply(new InMemoryCapStore(() -> nowMs));
        }

        @Override
        protected void pass(long millis) {
            nowMs += millis;
        }
    }

    /** Changes claims before they reach the store. */
    private static class Changing implements CapStore {
        private final CapStore sound;

        Changing(CapStore sound) {
            this.sound = sound;
        }

        Claim changed(Claim claim) {
            return claim;
        }

        @Override
        public Share claim(Claim claim) {
            return sound.claim(changed(claim));
        }

        @Override
        public void leave(String bulkhead, String owner) {
            sound.leave(bulkhead, owner);
        }

        @Override
        public void setCap(String bulkhead, int cap) {
            sound.setCap(bulkhead, cap);
        }

        @Override
        public boolean delete(String bulkhead) {
            return sound.delete(bulkhead);
        }

        @Override
        public Optional<Division> inspect(String bulkhead) {
            return sound.inspect(bulkhead);
        }
    }

    private static Claim with(Claim claim, long number, int slice, int inUse, long leaseMillis) {
        return new Claim(
                claim.bulkhead(),
                claim.owner(),
                number,
                claim.firstCap(),
                slice,
                inUse,
                claim.need(),
                claim.exact(),
                leaseMillis);
    }

    private static void assertCaught(ThrowingCallable test) {
        assertThatThrownBy(test).isInstanceOf(AssertionError.class);
    }

    @Test
    @DisplayName("an engine that takes what it should ask for")
    void shrinksUnasked_isCaught() {
        Contract contract = new Contract(sound -> new Changing(sound) {
            @Override
            public Share claim(Claim claim) {
                Share share =
                        super.claim(with(claim, 2 * claim.number(), claim.slice(), claim.inUse(), claim.leaseMillis()));
                if (share.goal() < share.granted()) {
                    super.claim(with(claim, 2 * claim.number() + 1, share.goal(), 0, claim.leaseMillis()));
                }
                return share;
            }
        });

        assertCaught(contract::claim_twoNeedAll_shareIt);
    }

    @Test
    @DisplayName("an engine that does not know late claims")
    void countsLateClaims_isCaught() {
        Contract contract = new Contract(sound -> new Changing(sound) {
            private long number;

            @Override
            Claim changed(Claim claim) {
                number++;
                return with(claim, number, claim.slice(), claim.inUse(), claim.leaseMillis());
            }
        });

        assertCaught(contract::claim_lateOrAgain_changesNothing);
    }

    @Test
    @DisplayName("an engine that forgets what is in flight")
    void forgetsWhatIsInFlight_isCaught() {
        Contract contract = new Contract(sound -> new Changing(sound) {
            @Override
            Claim changed(Claim claim) {
                return with(claim, claim.number(), claim.slice(), 0, claim.leaseMillis());
            }
        });

        assertCaught(contract::claim_twoNeedAll_shareIt);
        assertCaught(contract::claim_afterTheLease_countsWhatIsInFlight);
    }

    @Test
    @DisplayName("an engine whose leases end late, or early")
    void leasesOfOtherLength_areCaught() {
        Contract late = new Contract(sound -> new Changing(sound) {
            @Override
            Claim changed(Claim claim) {
                return with(claim, claim.number(), claim.slice(), claim.inUse(), claim.leaseMillis() + 1);
            }
        });
        Contract early = new Contract(sound -> new Changing(sound) {
            @Override
            Claim changed(Claim claim) {
                return with(claim, claim.number(), claim.slice(), claim.inUse(), Math.min(claim.leaseMillis(), 300));
            }
        });

        assertCaught(late::claim_leaseEnds_sliceIsFree);
        assertCaught(early::claim_renewed_leaseGoesOn);
    }

    @Test
    @DisplayName("an engine that goes on granting when the cap was lowered")
    void ignoresALowerCap_isCaught() {
        Contract contract = new Contract(sound -> new Changing(sound) {
            @Override
            public void setCap(String bulkhead, int cap) {
                super.setCap(bulkhead, Math.max(cap, 10));
            }
        });

        assertCaught(contract::setCap_lowered_drains);
        assertCaught(contract::setCap_loweredOnIdle_fits);
    }
}

package io.tidegate.breaker;

import static io.tidegate.breaker.ExpectedMetrics.metrics;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StampTest extends BreakerTest {
    @Test
    @DisplayName("CB-16 tryAcquire returns a stamp above zero or a negative refusal, in every state")
    void tryAcquire_eachState_isPositiveOrNegative() {
        CircuitBreaker breaker = made(brittle());
        assertThat(breaker.tryAcquire()).isPositive();
        open(breaker);
        assertThat(breaker.tryAcquire()).isNegative();
        ticker.advance(TIMEOUT);
        assertThat(breaker.tryAcquire()).isPositive();
        assertThat(breaker.tryAcquire()).isNegative();
        breaker.forceOpen();
        assertThat(breaker.tryAcquire()).isNegative();
        breaker.disable();
        assertThat(breaker.tryAcquire()).isPositive();

        assertThat(breaker.metrics().refused()).isEqualTo(3);
    }

    @Test
    @DisplayName("CB-16 no two probes ever have the same stamp")
    void tryAcquire_probes_areUnique() {
        CircuitBreaker breaker = made(brittle().maxRequests(3).successesToClose(Integer.MAX_VALUE));
        Set<Long> seen = new HashSet<>();
        open(breaker);
        for (int period = 0; period < 50; period++) {
            ticker.advance(TIMEOUT);
            for (int i = 0; i < 50; i++) {
                long first = probe(breaker);
                long second = probe(breaker);
                assertThat(seen.add(first)).isTrue();
                assertThat(seen.add(second)).isTrue();
                breaker.onSuccess(first);
                breaker.onIgnored(second);
            }
            fail(breaker);
        }
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    @DisplayName("CB-16 a probe's stamp used twice is misused: it frees no slot and counts nothing")
    void outcome_probeStampTwice_isMisused(Outcome again) {
        CircuitBreaker breaker = made(brittle().maxRequests(2).successesToClose(3));
        long used = halfOpen(breaker);
        long other = probe(breaker);
        breaker.onSuccess(used);

        for (int i = 1; i <= 10; i++) {
            again.tell(breaker, used);
            assertThat(breaker.metrics())
                    .isEqualTo(metrics(State.HALF_OPEN, 2, new Counts(2, 1, 0, 1, 0))
                            .misused(i)
                            .sinceStart(1, 1)
                            .made());
            assertThat(breaker.diagnostics().probesInFlight()).isEqualTo(1);
        }

        probe(breaker);
        assertRefused(breaker);
        breaker.onSuccess(other);
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    @DisplayName("CB-16 a probe's stamp used again after its slot went to another does not touch the other")
    void outcome_probeStampTwiceSlotReused_isMisused(Outcome again) {
        CircuitBreaker breaker = made(brittle().successesToClose(3));
        long used = halfOpen(breaker);
        breaker.onSuccess(used);
        long next = probe(breaker);

        again.tell(breaker, used);

        assertThat(breaker.metrics())
                .isEqualTo(metrics(State.HALF_OPEN, 2, new Counts(2, 1, 0, 1, 0))
                        .misused(1)
                        .sinceStart(1, 1)
                        .made());
        assertRefused(breaker);
        breaker.onSuccess(next);
        assertThat(breaker.counts().totalSuccesses()).isEqualTo(2);
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    @DisplayName("CB-16 the stamp of the probe that ended the period, used again, is misused and changes nothing")
    void outcome_lastProbeStampTwice_isMisused(Outcome again) {
        CircuitBreaker closed = made(brittle());
        long success = halfOpen(closed);
        closed.onSuccess(success);
        CircuitBreaker reopened = made(brittle());
        long failure = halfOpen(reopened);
        reopened.onFailure(failure, FAILURE);

        again.tell(closed, success);
        again.tell(reopened, failure);

        assertThat(closed.metrics())
                .isEqualTo(metrics(State.CLOSED, 3, NOTHING)
                        .misused(1)
                        .sinceStart(1, 1)
                        .made());
        assertThat(reopened.metrics())
                .isEqualTo(metrics(State.OPEN, 3, NOTHING)
                        .misused(1)
                        .sinceStart(0, 2)
                        .made());
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    @DisplayName("CB-16 a probe's stamp of another breaker is misused: it neither closes, opens nor frees anything")
    void outcome_probeStampOfAnother_isMisused(Outcome outcome) {
        CircuitBreaker mine = made(brittle());
        CircuitBreaker other = made(brittle());
        open(mine);
        open(other);
        ticker.advance(TIMEOUT);
        probe(mine);
        long foreign = probe(other);

        outcome.tell(mine, foreign);

        assertThat(mine.metrics())
                .isEqualTo(metrics(State.HALF_OPEN, 2, new Counts(1, 0, 0, 0, 0))
                        .misused(1)
                        .sinceStart(0, 1)
                        .made());
        assertRefused(mine);
        other.onSuccess(foreign);
        assertThat(other.state()).isEqualTo(State.CLOSED);
    }

    @ParameterizedTest
    @EnumSource(Outcome.class)
    @DisplayName("CB-16 a closed stamp used twice never breaks the counts")
    void outcome_closedStampTwice_countsStayConsistent(Outcome outcome) {
        CircuitBreaker breaker = made(tough());
        long used = begin(breaker);
        for (int i = 0; i < 10; i++) {
            outcome.tell(breaker, used);
            assertConsistent(breaker.counts());
            assertThat(breaker.counts().requests()).isNotNegative();
        }
        long running = begin(breaker);
        breaker.onSuccess(running);

        assertConsistent(breaker.counts());
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    @DisplayName("CB-16 zero and every refusal told as an outcome is misused and changes nothing, in every state")
    void outcome_notAStamp_isMisused() {
        CircuitBreaker breaker = made(brittle());
        long closed = misuse(breaker, 0, -1, Long.MIN_VALUE);
        open(breaker);
        long open = misuse(breaker, 0, breaker.tryAcquire());
        ticker.advance(TIMEOUT);
        probe(breaker);
        long halfOpen = misuse(breaker, 0, breaker.tryAcquire());
        assertRefused(breaker);
        breaker.forceOpen();
        long forced = misuse(breaker, 0, breaker.tryAcquire());

        assertThat(new long[] {closed, open, halfOpen, forced}).containsExactly(9, 6, 6, 6);
    }

    /** Reports each of the three outcomes with each of the stamps, and returns how many were recognised as misuse. */
    private static long misuse(CircuitBreaker breaker, long... stamps) {
        BreakerMetrics before = breaker.metrics();
        for (long stamp : stamps) {
            for (Outcome outcome : Outcome.values()) {
                outcome.tell(breaker, stamp);
            }
        }
        BreakerMetrics after = breaker.metrics();
        assertThat(after.state()).isEqualTo(before.state());
        assertThat(after.counts()).isEqualTo(before.counts());
        assertThat(after.late()).isEqualTo(before.late());
        assertThat(after.ignored()).isEqualTo(before.ignored());
        return after.misused() - before.misused();
    }

    @ParameterizedTest
    @EnumSource(WindowKind.class)
    @DisplayName("CB-8 CB-13 CB-16 no made-up stamp harms a half-open breaker or the counts of a closed one")
    void outcome_madeUpStamps_harmNothing(WindowKind window) {
        Random random = new Random(7);
        CircuitBreaker closed = made(window.on(tough()));
        CircuitBreaker halfOpen = made(window.on(brittle()));
        long real = begin(closed);
        long probe = halfOpen(halfOpen);
        for (int i = 0; i < 20_000; i++) {
            long stamp = anyStamp(random, real, probe);
            if (stamp == probe) {
                continue;
            }
            Outcome outcome = Outcome.any(random);
            outcome.tell(closed, stamp);
            outcome.tell(halfOpen, stamp);
            assertConsistent(closed.counts());
            assertThat(closed.counts().requests()).isNotNegative();
            assertThat(halfOpen.state()).isEqualTo(State.HALF_OPEN);
            assertThat(halfOpen.counts()).isEqualTo(new Counts(1, 0, 0, 0, 0));
        }
        assertRefused(halfOpen);

        halfOpen.onSuccess(probe);
        assertThat(halfOpen.state()).isEqualTo(State.CLOSED);
    }

    /** Numbers close to real stamps are more likely to do harm than arbitrary ones. */
    private static long anyStamp(Random random, long... real) {
        long stamp = real[random.nextInt(real.length)];
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> stamp ^ (1L << random.nextInt(64));
            case 2 -> stamp ^ (1L << random.nextInt(64)) ^ (1L << random.nextInt(64));
            default -> stamp + random.nextInt(100) - 50;
        };
    }

    @Test
    @DisplayName("CB-16 onFailure without an error is misuse of the method and changes nothing")
    void onFailure_nullError_throws() {
        CircuitBreaker breaker = made(brittle());
        long probe = halfOpen(breaker);

        assertThatThrownBy(() -> breaker.onFailure(probe, null)).isInstanceOf(NullPointerException.class);

        assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
        breaker.onSuccess(probe);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }
}

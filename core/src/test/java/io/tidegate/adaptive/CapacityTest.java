package io.tidegate.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A service in virtual time whose capacity halves and doubles, under three times what it can carry. {@code
 * -Dtidegate.seeds=N} plays the first N seeds instead of one.
 */
class CapacityTest {
    private static final int SETTLED = 5;
    private static final int PHASE = 8;

    /* The lab plays work of fixed length; here it varies. A capacity of 4, half of 8, is the smallest promised one. */
    static Stream<Arguments> cases() {
        return Stream.of(8, 10)
                .flatMap(servers -> Stream.of(Algorithm.values())
                        .flatMap(algorithm -> Stream.of(PermitLifetime.values())
                                .map(lifetime -> Arguments.of(algorithm, lifetime, servers, 0.2))));
    }

    private static LongStream seeds() {
        Long one = Long.getLong("tidegate.seed");
        return one != null ? LongStream.of(one) : LongStream.range(0, Long.getLong("tidegate.capacitySeeds", 1));
    }

    @ParameterizedTest
    @MethodSource("cases")
    @DisplayName("AL-5 callers that wait for 2.5 times the unloaded time: goodput and p99 within five seconds")
    void impatientCallers_capacityHalvesAndDoubles_goodputAndLatencyHold(
            Algorithm algorithm, PermitLifetime lifetime, int servers, double jitter) {
        play(algorithm, lifetime, servers, jitter, false);
    }

    static Stream<Arguments> patientCases() {
        return cases().filter(arguments -> arguments.get()[0] == Algorithm.GRADIENT);
    }

    @ParameterizedTest
    @MethodSource("patientCases")
    @DisplayName("AL-5 the gradient, callers that wait for ever: goodput and p99 within five seconds")
    void patientCallers_capacityHalvesAndDoubles_goodputAndLatencyHold(
            Algorithm algorithm, PermitLifetime lifetime, int servers, double jitter) {
        play(algorithm, lifetime, servers, jitter, true);
    }

    private static void play(
            Algorithm algorithm, PermitLifetime lifetime, int servers, double jitter, boolean patient) {
        seeds().forEach(seed -> {
            SimulatedService service = new SimulatedService(seed, 50_000_000, jitter, patient);
            AsyncBulkhead bulkhead = algorithm
                    .builder()
                    .ticker(service::now)
                    .permitLifetime(lifetime)
                    .build();
            service.protect(bulkhead, servers);
            int second = 0;
            for (int now : new int[] {servers, servers / 2, servers, 2 * servers}) {
                service.run(now, PHASE);
                String where = "seed " + seed + ", " + now + " servers from second " + second;
                int from = second + SETTLED;
                second += PHASE;
                assertThat(service.goodput(now, from, second))
                        .as("goodput, " + where)
                        .isGreaterThanOrEqualTo(0.9);
                assertThat(service.p99(from, second)).as("p99, " + where).isLessThanOrEqualTo(2.5);
            }
        });
    }

    @ParameterizedTest
    @MethodSource("slowerCases")
    @DisplayName("AL-2 calls that have become longer by themselves are not taken for a queue for ever")
    void gradient_callsBecomeLonger_goodputComesBack(double factor) {
        seeds().forEach(seed -> becomeLonger(seed, factor));
    }

    private static void becomeLonger(long seed, double factor) {
        SimulatedService service = new SimulatedService(seed, 50_000_000, 0.2, true);
        AsyncBulkhead bulkhead = AdaptiveLimit.gradient().ticker(service::now).build();
        service.protect(bulkhead, 20);
        service.run(20, PHASE);

        service.workTakes((long) (50_000_000 * factor));
        service.run(20, 2 * PHASE);

        assertThat(service.goodput(20, 2 * PHASE, 3 * PHASE)).as("seed " + seed).isGreaterThanOrEqualTo(0.9);
        assertThat(service.p99(2 * PHASE, 3 * PHASE)).as("seed " + seed).isLessThanOrEqualTo(2.5);
    }

    static Stream<Double> slowerCases() {
        return Stream.of(0.5, 2.0, 4.0);
    }
}

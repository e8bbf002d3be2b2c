package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.testkit.SimulatedCluster.Process;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How well a cap is used, and by which member. A busy machine could not measure this. */
class ClusterSimulationTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration ROUND_TRIP = Duration.ofMillis(1);
    private static final BackpressurePolicy PATIENT = BackpressurePolicy.queue(100, 3_600_000);
    private static final long LONG_ENOUGH = 20_000;

    private static SimulatedCluster strict(int cap) {
        return new SimulatedCluster(
                cap, LEASE, ROUND_TRIP, builder -> builder.policy(PATIENT).strict());
    }

    /** Starts that many processes, which from the beginning want more than the cap. */
    private static void saturate(SimulatedCluster cluster, int processes, int atATime, long operationMillis) {
        IntStream.range(0, processes).forEach(i -> cluster.join().want(atATime, operationMillis));
        cluster.time.pass(duration(operationMillis));
    }

    private static long duration(long operationMillis) {
        return Math.max(LONG_ENOUGH, 100 * operationMillis);
    }

    private static long servedByOne(int cap, long operationMillis) {
        SimulatedCluster cluster = strict(cap);
        saturate(cluster, 1, 2 * cap, operationMillis);
        return cluster.served();
    }

    @ParameterizedTest(name = "{0} processes, a cap of {1}, operations of {2} ms")
    @CsvSource({
        "2, 1, 10",
        "2, 1, 100",
        "2, 1, 400",
        "3, 1, 10",
        "12, 1, 10",
        "12, 3, 100",
        "3, 5, 10",
        "2, 1, 1000",
        "3, 2, 100",
        "12, 7, 400",
        "12, 10, 100"
    })
    @DisplayName("strict: several processes use a cap as one would, with few claims, and each has its part")
    void strict_saturated_isUsed(int processes, int cap, long operationMillis) {
        long one = servedByOne(cap, operationMillis);
        SimulatedCluster cluster = strict(cap);
        saturate(cluster, processes, 2 * cap, operationMillis);

        assertThat(cluster.mostInFlight()).isLessThanOrEqualTo(cap);
        assertThat(cluster.served()).as("where one serves %d", one).isGreaterThanOrEqualTo(one * 7 / 10);
        assertThat(cluster.claims)
                .as("claims for %d operations", cluster.served())
                .isLessThanOrEqualTo(4 * cluster.served());
        assertThat(cluster.processes)
                .as("each has at least half of its fair part")
                .allMatch(process -> process.served >= cluster.served() / processes / 2);
    }

    @ParameterizedTest(name = "{0} processes, a cap of {1}, operations of {2} ms")
    @CsvSource({"12, 1, 100", "12, 1, 1000", "12, 1, 10000", "12, 3, 1000"})
    @DisplayName("strict: a member that waits behind others asks about once a second, however long operations take")
    void strict_manyWait_askOnceASecond(int processes, int cap, long operationMillis) {
        SimulatedCluster cluster = strict(cap);
        saturate(cluster, processes, 2 * cap, operationMillis);

        long seconds = duration(operationMillis) / 1_000;
        long oncePerSecond = 5 * (processes + cap) * seconds / 4; // each delay is shortened by up to a fifth
        long expected = 4 * cluster.served() + oncePerSecond;
        assertThat(cluster.claims)
                .as("claims for %d operations in %d s", cluster.served(), seconds)
                .isLessThan(expected + expected / 10); // delays are random: six standard deviations above their mean
    }

    private static SimulatedCluster sliced(int cap, BackpressurePolicy policy) {
        return new SimulatedCluster(cap, LEASE, ROUND_TRIP, builder -> builder.policy(policy));
    }

    @ParameterizedTest(name = "{0} processes, a cap of {1}, operations of {2} ms")
    @CsvSource({"3, 2, 100", "12, 10, 400", "12, 11, 3000"})
    @DisplayName(
            "sliced: with fewer permits than processes each has its part, though operations last longer than turns")
    void sliced_fewerPermitsThanProcesses_eachIsServed(int processes, int cap, long operationMillis) {
        SimulatedCluster cluster = sliced(cap, PATIENT);
        saturate(cluster, processes, 2 * cap, operationMillis);

        assertThat(cluster.mostInFlight()).isLessThanOrEqualTo(cap);
        assertThat(cluster.processes)
                .as("each has at least half of its fair part")
                .allMatch(process -> process.served >= cluster.served() / processes / 2);
    }

    @Test
    @DisplayName("a quiet process beside a saturating one keeps a permit")
    void sliced_quietBesideSaturating_isServed() {
        SimulatedCluster cluster = sliced(10, BackpressurePolicy.reject());
        cluster.join().want(12, 400);
        Process quiet = cluster.join();
        cluster.time.pass(LEASE.toMillis() / 10);
        for (int i = 0; i < 75; i++) {
            quiet.request(50);
            cluster.time.pass(8_000);
        }

        assertThat(quiet.refusals).isEmpty();
        assertThat(quiet.served).isEqualTo(75);
        assertThat(cluster.mostInFlight()).isLessThanOrEqualTo(10);
    }

    @Test
    @DisplayName("when many start together all have their part within a tenth of a lease")
    void sliced_coldStart_evensOut() {
        SimulatedCluster cluster = sliced(100, BackpressurePolicy.reject());
        IntStream.range(0, 12).forEach(i -> cluster.join().want(20, 50));

        cluster.time.pass(LEASE.toMillis() / 10);

        assertThat(cluster.processes).extracting(Process::slice).allMatch(slice -> slice >= 100 / 12);
        assertThat(cluster.processes).allMatch(process -> process.served > 0);
        assertThat(cluster.mostInFlight()).isLessThanOrEqualTo(100);
    }

    @Test
    @DisplayName("a member that joins a process that uses everything has its part within a tenth of a lease")
    void sliced_newcomer_hasItsPart() {
        SimulatedCluster cluster = sliced(100, BackpressurePolicy.reject());
        cluster.join().want(200, 50);
        cluster.time.pass(LONG_ENOUGH);
        Process newcomer = cluster.join();
        newcomer.want(200, 50);

        cluster.time.pass(LEASE.toMillis() / 10);

        assertThat(newcomer.slice()).isGreaterThanOrEqualTo(50);
    }

    @Test
    @DisplayName("sliced: load that moves from one process to another is queued, not refused")
    void sliced_loadMoves_nothingIsRefused() {
        BackpressurePolicy policy = BackpressurePolicy.queue(100, LEASE.toMillis() / 10);
        SimulatedCluster cluster = sliced(20, policy);
        IntStream.range(0, 4).forEach(i -> cluster.join());
        for (int round = 0; round < 20; round++) {
            Process busy = cluster.processes.get(round % 4);
            cluster.processes.forEach(process -> process.want(process == busy ? 30 : 1, 20));
            cluster.time.pass(round % 2 == 0 ? 700 : 4_700);
        }

        assertThat(cluster.processes).extracting(process -> process.refusals).allMatch(Map::isEmpty);
        assertThat(cluster.mostInFlight()).isLessThanOrEqualTo(20);
    }
}

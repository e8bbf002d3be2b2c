package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.race.Race;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("hot")
class ClientRaceTest {
    private static final int ROUNDS = 1_000_000;
    private static final int REQUESTS = Integer.getInteger("tidegate.requests", 50_000);
    private static final int THREADS = 4;

    /** The races let time pass themselves. */
    private static final ScheduledExecutorService NEVER = (ScheduledExecutorService) Proxy.newProxyInstance(
            ClientRaceTest.class.getClassLoader(),
            new Class<?>[] {ScheduledExecutorService.class},
            (proxy, method, args) -> null);

    private static ClientRace.Factory tidegate(PermitLifetime lifetime) {
        return bulkhead -> {
            RemoteBulkheadClient client = RemoteBulkheadClient.builder(bulkhead)
                    .permitLifetime(lifetime)
                    .executor(Runnable::run)
                    .clock(() -> 0)
                    .scheduler(NEVER)
                    .build();
            RemoteCapability capability = client.takeCapability();
            return (requestId, operation) ->
                    client.submit(capability, requestId, operation).toCompletableFuture();
        };
    }

    @ParameterizedTest
    @EnumSource(ClientRace.class)
    @DisplayName("RB-21 AB-10 AB-12 AB-14 no permit is lost when two threads meet, up to a million times over")
    void race_tidegate_isRight(ClientRace race) {
        assertThat(race.run(tidegate(PermitLifetime.RETURNED_STAGE), ROUNDS, Race.LIMIT))
                .isNull();
    }

    @Test
    @DisplayName("RB-21 AB-11 AB-12 and so it is under OPERATION")
    void race_operationLifetime_isRight() {
        assertThat(ClientRace.CANCEL_AGAINST_WAKE.run(tidegate(PermitLifetime.OPERATION), ROUNDS, Race.LIMIT))
                .isNull();
    }

    @ParameterizedTest
    @EnumSource(BrokenClient.class)
    @Tag("broken")
    @DisplayName("the race of cancel against wake catches every broken client")
    void race_broken_isCaught(BrokenClient broken) {
        assertThat(ClientRace.CANCEL_AGAINST_WAKE.run(broken, Long.MAX_VALUE, Race.UNTIL_CAUGHT))
                .isNotNull();
    }

    @Test
    @DisplayName("RB-21 a request that comes while a drain begins is refused or is waited for")
    void race_drainAgainstSubmit_isRight() {
        assertThat(Race.run(ROUNDS, Race.LIMIT, DrainRound::new)).isNull();
    }

    private static final class DrainRound implements Race.Round {
        private final RemoteBulkheadClient client = RemoteBulkheadClient.builder(RemoteBulkhead.builder(1)
                        .eventCapacity(1)
                        .latencyWindow(1)
                        .build())
                .executor(Runnable::run)
                .scheduler(NEVER)
                .build();
        private final RemoteCapability capability = client.takeCapability();
        private final CompletableFuture<String> operation = new CompletableFuture<>();
        private volatile boolean ran;
        private CompletableFuture<String> returned = new CompletableFuture<>();
        private CompletableFuture<DrainReport> report = new CompletableFuture<>();

        @Override
        public void first() {
            returned = client.submit(capability, "comes", () -> {
                        ran = true;
                        return operation;
                    })
                    .toCompletableFuture();
        }

        @Override
        public void second() {
            report = client.drain(Duration.ofDays(1)).toCompletableFuture();
        }

        @Override
        public @Nullable String verdict() {
            boolean early = report.isDone();
            operation.complete("done");
            boolean right = ran != early
                    && ran != returned.isCompletedExceptionally()
                    && report.isDone()
                    && report.join().isComplete();
            return right ? null : "ran " + ran + ", " + returned + ", drain ended " + (early ? "early" : report);
        }
    }

    static Stream<Arguments> lifetimesAndExecutors() {
        Executor pool = new CompletableFuture<String>().defaultExecutor();
        return Arrays.stream(PermitLifetime.values())
                .flatMap(lifetime -> Stream.of(
                        Arguments.of(lifetime, Named.<Executor>of("same thread", Runnable::run)),
                        Arguments.of(lifetime, Named.of("pool", pool))));
    }

    @ParameterizedTest
    @MethodSource("lifetimesAndExecutors")
    @DisplayName("RB-21 AB-12 many threads end requests at random moments: each ends, every permit is back")
    void manyThreads_endAtRandom_conserves(PermitLifetime lifetime, Executor executor) throws InterruptedException {
        RemoteBulkhead bulkhead = RemoteBulkhead.builder(2)
                .policy(BackpressurePolicy.queue(8, 60_000))
                .build();
        RemoteBulkheadClient client = RemoteBulkheadClient.builder(bulkhead)
                .permitLifetime(lifetime)
                .executor(executor)
                .build();
        RemoteCapability capability = client.takeCapability();
        CountDownLatch running = new CountDownLatch(REQUESTS / THREADS * THREADS);
        for (int thread = 0; thread < THREADS; thread++) {
            int number = thread;
            new Thread(() -> {
                        for (int round = 0; round < REQUESTS / THREADS; round++) {
                            CompletableFuture<String> operation = new CompletableFuture<>();
                            CompletableFuture<String> returned = client.submit(
                                            capability, number + "." + round, () -> operation)
                                    .toCompletableFuture();
                            returned.whenComplete((value, error) -> running.countDown());
                            endAtRandom(operation, returned);
                        }
                    })
                    .start();
        }

        assertThat(running.await(10, TimeUnit.MINUTES)).as("all ended").isTrue();
        DrainReport left =
                client.drain(Duration.ofMinutes(10)).toCompletableFuture().join();
        assertThat(left.isComplete()).as("left: %s", left).isTrue();
    }

    private static void endAtRandom(CompletableFuture<String> operation, CompletableFuture<String> returned) {
        switch (ThreadLocalRandom.current().nextInt(4)) {
            case 0 -> operation.complete("done");
            case 1 -> returned.complete("by hand");
            default -> returned.cancel(false);
        }
        operation.complete("late");
    }
}

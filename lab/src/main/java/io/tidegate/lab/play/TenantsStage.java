package io.tidegate.lab.play;

import io.tidegate.Registry;
import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.lab.load.Time;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Some quiet tenants and one that may go wild, twice: in a pool that all share, and in a group for each. */
final class TenantsStage implements Stage {
    static final String NAME = "tenants";

    /** How many calls a second the quiet tenants make together. */
    static final int QUIET_RATE = 20;

    /** How many calls a second the wild tenant makes. */
    static final int WILD_RATE = 80;

    private static final int QUIET = 5;
    private static final int CALM_RATE = QUIET_RATE / QUIET;
    private static final int MOST_RATE = 120;
    private static final int PLACES = 4;
    private static final int PLACES_FOR_ONE = 2;
    private static final int MAY_WAIT = 20;
    private static final int MAY_WAIT_IN_POOL = 200;

    private final Registry registry;
    private final Caller poolCaller;
    private final Caller groupCaller;
    private final ThreadPoolExecutor pool = new ThreadPoolExecutor(
            PLACES,
            PLACES,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAY_WAIT_IN_POOL),
            Thread.ofPlatform().daemon().name("lab-pool").factory());
    private final GroupExecutor groups = GroupExecutor.newVirtualThreadExecutor(GroupPolicy.builder()
            .name(NAME)
            .globalMaxInFlight(PLACES)
            .defaultMaxConcurrencyPerGroup(PLACES_FOR_ONE)
            .defaultQueueThresholdPerGroup(MAY_WAIT)
            .build());
    private final AtomicLong numbers = new AtomicLong();
    private final Lane poolQuiet;
    private final Lane poolWild;
    private final Lane groupsQuiet;
    private final Lane groupsWild;
    private volatile int wildRate = CALM_RATE;

    TenantsStage(Registry registry, Time time) throws IOException {
        this.registry = registry;
        this.poolCaller = new Caller(work());
        this.groupCaller = new Caller(work());
        registry.add(groups);
        poolQuiet = new Lane("Shared pool: the quiet five", this::inPool, poolCaller::inside, time);
        poolWild = new Lane("Shared pool: the sixth", this::inPool, poolCaller::inside, time);
        groupsQuiet = new Lane("Groups: the quiet five", () -> inGroup(quietTenant()), groupCaller::inside, time);
        groupsWild = new Lane("Groups: the sixth", () -> inGroup("the-sixth"), groupCaller::inside, time);
    }

    private static ServiceWork work() {
        ServiceWork work = new ServiceWork();
        work.capacity(PLACES);
        work.latency(50);
        return work;
    }

    private String quietTenant() {
        return "quiet-" + (1 + numbers.get() % QUIET);
    }

    /* Takes a thread for each call, which waits for the answer, as in most pools. */
    private CompletionStage<Integer> inPool() {
        CompletableFuture<Integer> answer = new CompletableFuture<>();
        try {
            pool.execute(() -> {
                try {
                    answer.complete(poolCaller.call().toCompletableFuture().join());
                } catch (CompletionException failed) {
                    answer.completeExceptionally(failed);
                }
            });
        } catch (RuntimeException full) {
            answer.completeExceptionally(full);
        }
        return answer;
    }

    private CompletionStage<Integer> inGroup(String tenant) {
        return groups.<Integer>submitStage(tenant, "call-" + numbers.incrementAndGet(), groupCaller::call)
                .toCompletableFuture()
                .thenApply(TenantsStage::value);
    }

    private static Integer value(GroupResult<Integer> result) {
        return Objects.requireNonNull(result.orElseThrow());
    }

    @Override
    public List<Slider> sliders() {
        return List.of(new Slider(
                "sixth",
                "Load of the sixth tenant",
                "calls a second",
                0,
                MOST_RATE,
                () -> wildRate,
                rate -> wildRate = rate));
    }

    /** Makes the sixth tenant wild, or quiet. */
    void wild(boolean wild) {
        wildRate = wild ? WILD_RATE : CALM_RATE;
    }

    Lane poolQuiet() {
        return poolQuiet;
    }

    Lane groupsQuiet() {
        return groupsQuiet;
    }

    Lane groupsWild() {
        return groupsWild;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "Six tenants of one service";
    }

    @Override
    public void tick() {
        poolQuiet.send(QUIET_RATE);
        groupsQuiet.send(QUIET_RATE);
        int rate = wildRate;
        poolWild.send(rate);
        groupsWild.send(rate);
    }

    @Override
    public List<Lane> lanes() {
        return List.of(poolQuiet, poolWild, groupsQuiet, groupsWild);
    }

    @Override
    public void close() {
        registry.remove(groups);
        poolCaller.close();
        groupCaller.close();
        pool.shutdownNow();
        pool.close();
        groups.close();
    }
}

package io.tidegate.lab.groups;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupResult;
import io.tidegate.lab.Scene;
import io.tidegate.lab.load.Time;
import io.tidegate.lab.print.Screen;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The same wild tenant among the same others twice: in one pool for all, then in a {@link GroupExecutor}. */
public final class GroupsScene implements Scene {
    private final TenantPlan plan;

    public GroupsScene(TenantPlan plan) {
        this.plan = plan;
    }

    @Override
    public String name() {
        return "groups";
    }

    @Override
    public String about() {
        return plan.tenants() + " tenants of which one goes wild, in a shared pool and in a GroupExecutor";
    }

    @Override
    public void play(Screen screen) throws InterruptedException {
        GroupsReport report = new GroupsReport(plan);
        screen.out().println(report.opening());
        TenantLog pool = runPool(screen);
        TenantLog groups = runGroups(screen);
        screen.out().println();
        screen.show(report.table(pool, groups));
        screen.out().println(new GroupsChart(plan).draw(pool, groups));
        screen.out().println(report.finding(pool, groups));
    }

    TenantLog runPool(Screen screen) throws InterruptedException {
        try (ExecutorService pool = newPool()) {
            return new TenantTrial("shared pool", plan, (tenant, task) -> submit(pool, task), Time.SYSTEM).run(screen);
        }
    }

    /** Makes a pool with as much room to run and to wait as all groups together. */
    ThreadPoolExecutor newPool() {
        return new ThreadPoolExecutor(
                plan.places(),
                plan.places(),
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(plan.waiting()),
                Thread.ofPlatform().name("lab-pool-", 0).factory());
    }

    private static CompletableFuture<?> submit(ExecutorService pool, Callable<?> task) {
        CompletableFuture<Object> end = new CompletableFuture<>();
        try {
            pool.execute(() -> call(task, end));
        } catch (RejectedExecutionException refused) {
            end.completeExceptionally(refused);
        }
        return end;
    }

    private static void call(Callable<?> task, CompletableFuture<Object> end) {
        try {
            end.complete(task.call());
        } catch (Exception failed) {
            end.completeExceptionally(failed);
        }
    }

    TenantLog runGroups(Screen screen) throws InterruptedException {
        try (GroupExecutor executor = GroupExecutor.newVirtualThreadExecutor(plan.policy())) {
            return new TenantTrial("groups", plan, (tenant, task) -> submit(executor, tenant, task), Time.SYSTEM)
                    .run(screen);
        }
    }

    private static CompletableFuture<?> submit(GroupExecutor executor, int tenant, Callable<?> task) {
        return executor.submit("tenant-" + tenant, "task", task)
                .toCompletableFuture()
                .thenCompose(GroupsScene::valueOrError);
    }

    private static CompletableFuture<?> valueOrError(GroupResult<?> result) {
        return result.error() == null
                ? CompletableFuture.completedFuture(result.value())
                : CompletableFuture.failedFuture(result.error());
    }
}

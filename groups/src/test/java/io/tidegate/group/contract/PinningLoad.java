package io.tidegate.group.contract;

import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupPolicy;
import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupTask;
import io.tidegate.group.RejectionPolicy;
import io.tidegate.group.TaskHandle;
import io.tidegate.group.TaskLifecycleListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/** A program that uses all of an executor from many virtual threads at once, and pins a carrier once on purpose. */
final class PinningLoad {
    private static final int THREADS = 50;
    private static final int ROUNDS = 60;

    private PinningLoad() {}

    public static void main(String[] arguments) throws InterruptedException {
        GroupPolicy policy = GroupPolicy.builder()
                .defaultMaxConcurrencyPerGroup(2)
                .defaultMaxInFlightPerGroup(3)
                .globalMaxInFlight(8)
                .defaultQueueThresholdPerGroup(50)
                .rejectionPolicy(RejectionPolicy.DISCARD)
                .taskLifecycleListener(new TaskLifecycleListener() {
                    @Override
                    public void onCompleted(GroupTask<?> task, GroupResult<?> result) {
                        LockSupport.parkNanos(1_000);
                    }
                })
                .build();
        try (GroupExecutor executor = GroupExecutor.newVirtualThreadExecutor(policy)) {
            use(executor, 0); // loads classes, which pins
            List<Thread> users = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                users.add(Thread.startVirtualThread(() -> use(executor, number)));
            }
            for (Thread user : users) {
                user.join();
            }
            executor.submit("pin", "on purpose", () -> Pin.VALUE).join();
            executor.submit("left", "running", () -> {
                LockSupport.park();
                return null;
            });
        }
    }

    private static void use(GroupExecutor executor, int number) {
        for (int round = 0; round < ROUNDS; round++) {
            String key = "g" + (number + round) % 7;
            TaskHandle<Integer> parked = executor.submit(key, "parked", () -> {
                LockSupport.parkNanos(10_000);
                return 1;
            });
            TaskHandle<TaskHandle<Integer>> nested =
                    executor.submit(key, "nested", () -> executor.submit("nested", "inner", () -> 1));
            TaskHandle<Integer> stage =
                    executor.submitStage(key, "stage", () -> CompletableFuture.supplyAsync(() -> 1));
            TaskHandle<Integer> cancelled = executor.submit(key, "cancelled", () -> 1);
            cancelled.cancel(true);
            executor.stats();
            executor.groupStats(key);
            if (round % 10 == 0) {
                executor.evictGroup(key);
            }
            if (round % 50 == 0) {
                executor.shutdownGroup(key);
            }
            parked.join();
            nested.join();
            stage.join();
        }
    }

    /** Its initialiser parks, and a thread that initialises a class cannot leave its carrier. */
    private static final class Pin {
        static final Integer VALUE = parked();

        private static Integer parked() {
            LockSupport.parkNanos(1_000_000);
            return 1;
        }
    }
}

package io.tidegate.bench.engines;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.CustomTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * db-scheduler, with a task for each domain, which is due again as soon as it has run. So a cycle picks and reschedules
 * a task: two updates of its row.
 */
final class DbSchedulerWay implements Way {
    private final DataSource pool;
    private final boolean skipsLocked;

    /**
     * @param skipsLocked whether the database can pick tasks and skip those that others have locked, which is the
     * faster way
     */
    DbSchedulerWay(DataSource pool, boolean skipsLocked) {
        this.pool = pool;
        this.skipsLocked = skipsLocked;
    }

    @Override
    public String label() {
        return "db-scheduler";
    }

    @Override
    public Running start(Load load) {
        LongAdder cycles = new LongAdder();
        CustomTask<Void> task = Tasks.custom("domain", Void.class)
                .execute((instance, context) -> (complete, operations) -> {
                    operations.reschedule(complete, Instant.now());
                    cycles.increment();
                });
        Scheduler scheduler = scheduler(load, task);
        deleteTasks();
        List<TaskInstance<?>> instances = IntStream.range(0, load.domains())
                .<TaskInstance<?>>mapToObj(domain -> task.instance("domain-" + domain))
                .toList();
        scheduler.scheduleBatch(instances, Instant.now());
        scheduler.start();
        return new Running() {
            @Override
            public long cycles() {
                return cycles.sum();
            }

            @Override
            public void close() {
                scheduler.stop();
            }
        };
    }

    private Scheduler scheduler(Load load, CustomTask<Void> task) {
        SchedulerBuilder builder =
                Scheduler.create(pool, task).threads(load.workers()).pollingInterval(Pauses.BETWEEN_TRIES);
        return (skipsLocked ? builder.pollUsingLockAndFetch(1.0, 4.0) : builder).build();
    }

    /** Deletes all tasks. Otherwise tasks that were picked in an earlier run and not done would not be due. */
    private void deleteTasks() {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("delete from scheduled_tasks");
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}

package io.tidegate.bulkhead.lincheck;

import io.tidegate.bulkhead.broken.BrokenBulkhead;
import io.tidegate.bulkhead.broken.BulkheadFactory;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;

/** Lincheck's two ways to look for a schedule whose answers no sequential run could give. */
enum Strategy {
    /** Chooses every switch between threads itself; sequentially consistent, and the same in every run. */
    MODEL_CHECKING {
        @Override
        void check(Class<?> subject, Class<?> specification, BulkheadFactory factory, int limit) {
            run(new ModelCheckingOptions().invocationsPerIteration(SCHEDULES), subject, specification, factory, limit);
        }
    },

    /** Real threads and the real memory model, many times over. */
    STRESS {
        @Override
        void check(Class<?> subject, Class<?> specification, BulkheadFactory factory, int limit) {
            run(new StressOptions().invocationsPerIteration(5 * SCHEDULES), subject, specification, factory, limit);
        }
    };

    private static final int SCENARIOS = Integer.getInteger("lincheck.scenarios", 20);
    private static final int SCHEDULES = Integer.getInteger("lincheck.schedules", 200);

    abstract void check(Class<?> subject, Class<?> specification, BulkheadFactory factory, int limit);

    private static <O extends Options<O, ?>> void run(
            O options, Class<?> subject, Class<?> specification, BulkheadFactory factory, int limit) {
        Setting.factory = factory;
        Setting.limit = limit;
        options.iterations(SCENARIOS)
                .threads(3)
                .actorsBefore(1)
                .actorsPerThread(2)
                .actorsAfter(1)
                .minimizeFailedScenario(!(factory instanceof BrokenBulkhead)) // it takes long and nobody reads it
                .sequentialSpecification(specification)
                .check(subject);
    }
}

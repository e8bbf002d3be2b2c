package io.tidegate.lincheck;

import java.util.List;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;

/** Lincheck's two ways to search for a schedule whose answers no sequential run could give. */
public enum Strategy {
    /** Chooses every switch between threads itself. Sequentially consistent, and the same in every run. */
    MODEL_CHECKING {
        @Override
        Options<?, ?> options() {
            return new ModelCheckingOptions().invocationsPerIteration(SCHEDULES);
        }
    },

    /**
     * Uses real threads and the real memory model, many times. The threads spin, so even few scenarios take long on few
     * processors.
     */
    STRESS {
        @Override
        int scenarios() {
            return Math.max(1, SCENARIOS / 4);
        }

        @Override
        Options<?, ?> options() {
            return new StressOptions().invocationsPerIteration(2 * SCHEDULES);
        }
    };

    private static final int SCENARIOS = Integer.getInteger("lincheck.scenarios", 2);
    private static final int SCENARIOS_UNTIL_CAUGHT = 500;
    private static final int SCHEDULES = Integer.getInteger("lincheck.schedules", 20);

    abstract Options<?, ?> options();

    int scenarios() {
        return SCENARIOS;
    }

    /**
     * Searches for a schedule.
     *
     * @param holds whether no such schedule is expected. If one is found nevertheless, it is made smaller, which takes
     *     long. Otherwise scenarios are tried until a schedule is found.
     */
    public void check(Class<?> subject, Class<?> specification, boolean holds) {
        check(options(), subject, specification, holds ? scenarios() : SCENARIOS_UNTIL_CAUGHT, holds);
    }

    /**
     * Searches for a schedule of one scenario.
     *
     * @param threads the operations of each thread, in order
     */
    public void check(Class<?> subject, Class<?> specification, List<List<Actor>> threads) {
        options()
                .iterations(0)
                .addCustomScenario(new ExecutionScenario(List.of(), threads, List.of(), null))
                .minimizeFailedScenario(false)
                .sequentialSpecification(specification)
                .check(subject);
    }

    private static <O extends Options<O, ?>> void check(
            Options<O, ?> options, Class<?> subject, Class<?> specification, int scenarios, boolean holds) {
        options.iterations(scenarios)
                .threads(3)
                .actorsBefore(1)
                .actorsPerThread(2)
                .actorsAfter(1)
                .minimizeFailedScenario(holds)
                .sequentialSpecification(specification)
                .check(subject);
    }
}

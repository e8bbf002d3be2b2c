package io.tidegate.bench.groups;

import static io.tidegate.bench.Contestant.floor;
import static io.tidegate.bench.Contestant.peer;
import static io.tidegate.bench.Contestant.reference;
import static io.tidegate.bench.Contestant.tidegate;

import io.tidegate.bench.Contestant;
import io.tidegate.bench.Part;
import io.tidegate.bench.Row;
import io.tidegate.bench.Target;
import java.util.List;
import java.util.Map;

/** The rows of the group executor. */
public final class GroupsPart {
    private static final String THREE_SEMAPHORES = "three fair semaphores";

    private static final Contestant UNLIMITED = floor("virtual thread, no limit", TaskBenchmark.Unlimited.class);
    private static final Contestant ONE = reference("one fair semaphore", TaskBenchmark.OneSemaphore.class);
    private static final Contestant THREE = reference(THREE_SEMAPHORES, TaskBenchmark.ThreeSemaphores.class);
    private static final Contestant RESILIENCE4J = peer("resilience4j thread pool", TaskBenchmark.Resilience4j.class);
    private static final Contestant TIDEGATE = tidegate("Tidegate", TaskBenchmark.Tidegate.class);

    private static final List<Contestant> ALL = List.of(UNLIMITED, ONE, THREE, RESILIENCE4J, TIDEGATE);
    private static final List<Contestant> WITHOUT_POOLS = List.of(UNLIMITED, ONE, THREE, TIDEGATE);

    /** The measurements of the group executor. */
    public static final Part PART = new Part(
            "groups",
            "Group executor",
            List.of("resilience4j"),
            List.of(
                    row(
                            "tiny task, 16 groups",
                            16,
                            0,
                            ALL,
                            List.of(Target.nanos(1, 80), Target.time(1, 0.25, THREE_SEMAPHORES), Target.bytes(1, 100))),
                    row("tiny task, 1,000 groups", 1_000, 0, WITHOUT_POOLS, List.of()),
                    row("task that parks 50 µs, 16 groups", 16, 50, ALL, List.of(Target.processorNanos(1, 2_500))),
                    row("task that parks 50 µs, 1,000 groups", 1_000, 50, WITHOUT_POOLS, List.of())),
            List.of(
                    "One thread submits 16,384 tasks to the groups in turn and then waits for all. `ns` is the "
                            + "elapsed time for a task, `CPU ns` the processor time that all threads of the process "
                            + "spend on it.",
                    "In shorter batches a task of Tidegate takes more bytes: the first tasks of each batch start the"
                            + " threads of their groups anew.",
                    "Limits: 4 running and 8 in flight of a group, 256 in flight in all. One semaphore keeps the"
                            + " first, three keep all, as Tidegate does.",
                    "The thread pools have 4 threads for each group, and no common limit; 1,000 such pools are "
                            + "not measured."),
            true,
            List.of(new WaitingMemory(), new Fairness()));

    private GroupsPart() {}

    private static Row row(
            String work, int groups, int parkMicros, List<Contestant> contestants, List<Target> targets) {
        Map<String, String> params =
                Map.of("groups", Integer.toString(groups), "parkMicros", Integer.toString(parkMicros));
        return new Row(
                        work,
                        "tasks",
                        contestants.stream()
                                .map(contestant -> contestant.with(params))
                                .toList(),
                        targets)
                .on(1);
    }
}

package io.tidegate.bench.breaker;

import static io.tidegate.bench.Contestant.floor;
import static io.tidegate.bench.Contestant.peer;
import static io.tidegate.bench.Contestant.tidegate;

import io.tidegate.bench.Contestant;
import io.tidegate.bench.Part;
import io.tidegate.bench.Row;
import io.tidegate.bench.Target;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The rows of the circuit breaker. */
public final class BreakerPart {
    private static final Contestant READ_ADD = floor("read + LongAdder", Floor.ReadAndAdd.class);
    private static final Contestant READ_ADD_CLOCK = floor("read + LongAdder + clock", Floor.ReadAddAndClock.class);
    private static final Contestant READ_ADD_CLOCKS =
            floor("read + LongAdder + 2 clocks", Floor.ReadAddAndTwoClocks.class);
    private static final Contestant READ_CLOCK = floor("read + clock", Floor.ReadAndClock.class);

    private static final Contestant CHANGE =
            floor("2 × new object + compare-and-set + clock", Floor.CompareAndSet.class);

    private static final Contestant RESILIENCE4J_PERMIT = peer("resilience4j permit", Resilience4j.Permit.class);
    private static final Contestant RESILIENCE4J = peer("resilience4j execute", Resilience4j.Execute.class);
    private static final Contestant RESILIENCE4J_LOCK_FREE =
            peer("resilience4j execute, LOCK_FREE", Resilience4j.ExecuteLockFree.class);
    private static final Contestant RESILIENCE4J_NO_STACK =
            peer("resilience4j execute, no stack trace", Resilience4j.ExecuteWithoutStack.class);
    private static final Contestant FAILSAFE_PERMIT = peer("Failsafe permit", Failsafe.Permit.class);
    private static final Contestant FAILSAFE = peer("Failsafe execute", Failsafe.Execute.class);
    private static final Contestant SMALLRYE = peer("SmallRye execute", SmallRye.class);
    private static final Contestant SENTINEL = over(Window.EVERY_10_S, peer("Sentinel entry", Sentinel.class));

    private static final Contestant PERMIT = tidegate("Tidegate permit", Tidegate.Permit.class);
    private static final Contestant EXECUTE = tidegate("Tidegate execute", Tidegate.Execute.class);

    private static final List<Row> SUCCESS = List.of(
            row(
                    "success, six in a row",
                    "success",
                    Window.SIX_IN_A_ROW,
                    List.of(
                            READ_ADD,
                            RESILIENCE4J_PERMIT,
                            RESILIENCE4J,
                            FAILSAFE_PERMIT,
                            FAILSAFE,
                            SMALLRYE,
                            PERMIT,
                            EXECUTE),
                    List.of(
                            Target.time(1, 2.2, READ_ADD.label()),
                            Target.time(2, 2.5, READ_ADD.label()),
                            Target.bytes(1, 0),
                            Target.time(1, 2.2, READ_ADD.label()).by(EXECUTE.label()),
                            Target.time(2, 2.5, READ_ADD.label()).by(EXECUTE.label()),
                            Target.time(1, 1 / 8.0, RESILIENCE4J.label()).by(EXECUTE.label()),
                            Target.time(2, 1 / 30.0, RESILIENCE4J.label()).by(EXECUTE.label()),
                            Target.bytes(1, 0).by(EXECUTE.label()))),
            row(
                            "success, six in a row, 8 threads",
                            "success",
                            Window.SIX_IN_A_ROW,
                            List.of(READ_ADD, RESILIENCE4J, FAILSAFE_PERMIT, PERMIT, EXECUTE),
                            List.of())
                    .on(8),
            row(
                            "success, counted anew every 10 s",
                            "success",
                            Window.EVERY_10_S,
                            List.of(READ_ADD_CLOCKS, SENTINEL, PERMIT, EXECUTE),
                            targets(READ_ADD_CLOCKS, 1.2))
                    .on(1),
            row(
                    "success, last 100",
                    "success",
                    Window.LAST_100,
                    List.of(READ_ADD, RESILIENCE4J, RESILIENCE4J_LOCK_FREE, FAILSAFE_PERMIT, PERMIT, EXECUTE),
                    targets(READ_ADD, 2.5)),
            row(
                    "success, last 10 s",
                    "success",
                    Window.LAST_10_S,
                    List.of(READ_ADD_CLOCK, RESILIENCE4J, RESILIENCE4J_LOCK_FREE, FAILSAFE_PERMIT, PERMIT, EXECUTE),
                    targets(READ_ADD_CLOCK, 1.2)),
            row(
                            "success, slow calls",
                            "success",
                            Window.SLOW_CALLS,
                            List.of(READ_ADD_CLOCKS, RESILIENCE4J, PERMIT, EXECUTE),
                            targets(READ_ADD_CLOCKS, 1.2))
                    .on(1));

    private static final List<Row> FAILURE = List.of(
            failure(
                    "six in a row",
                    Window.SIX_IN_A_ROW,
                    READ_ADD,
                    RESILIENCE4J,
                    FAILSAFE_PERMIT,
                    SMALLRYE,
                    PERMIT,
                    EXECUTE),
            failure("counted anew every 10 s", Window.EVERY_10_S, READ_ADD_CLOCKS, SENTINEL, PERMIT, EXECUTE),
            failure("last 100", Window.LAST_100, READ_ADD, RESILIENCE4J, FAILSAFE_PERMIT, PERMIT, EXECUTE),
            failure("last 10 s", Window.LAST_10_S, READ_ADD_CLOCK, RESILIENCE4J, FAILSAFE_PERMIT, PERMIT, EXECUTE),
            failure("slow calls", Window.SLOW_CALLS, READ_ADD_CLOCKS, RESILIENCE4J, PERMIT, EXECUTE));

    private static final List<Row> REFUSAL = List.of(
            row(
                            "open, refusal as a value",
                            "refusal",
                            Window.SIX_IN_A_ROW,
                            List.of(READ_CLOCK, RESILIENCE4J_PERMIT, FAILSAFE_PERMIT, PERMIT),
                            List.of(
                                    Target.time(1, 1.2, READ_CLOCK.label()),
                                    Target.time(2, 1.2, READ_CLOCK.label()),
                                    Target.bytes(1, 0)))
                    .on(1, 2, 8),
            row(
                            "open, refusal as an exception",
                            "refusal",
                            Window.SIX_IN_A_ROW,
                            List.of(
                                    READ_CLOCK,
                                    RESILIENCE4J,
                                    RESILIENCE4J_NO_STACK,
                                    FAILSAFE,
                                    SMALLRYE,
                                    SENTINEL,
                                    EXECUTE),
                            List.of())
                    .on(1),
            row(
                            "half-open storm, refusal as a value",
                            "storm",
                            Window.SIX_IN_A_ROW,
                            List.of(READ_CLOCK, RESILIENCE4J_PERMIT, FAILSAFE_PERMIT, PERMIT),
                            List.of(Target.bytes(2, 0)))
                    .on(2));

    private static final List<Row> STATE_CHANGE = List.of(
            stateChange("six in a row", Window.SIX_IN_A_ROW),
            stateChange("last 100", Window.LAST_100),
            stateChange("last 10 s", Window.LAST_10_S));

    /** The measurements of the circuit breaker. */
    public static final Part PART = new Part(
            "breaker",
            "Circuit breaker",
            List.of("resilience4j", "Failsafe", "SmallRye", "Sentinel"),
            Stream.of(SUCCESS, FAILURE, REFUSAL, STATE_CHANGE)
                    .flatMap(List::stream)
                    .toList(),
            List.of(
                    "With `permit` the caller asks and reports the outcome, with `execute` it passes the call.",
                    "\"Six in a row\": the peers use a window of six calls that must all fail.",
                    "resilience4j reads the clock twice for each call that it executes; with its permit, the "
                            + "caller reports a time of 0 and reads no clock.",
                    "Sentinel cannot count failures in a row, so it opens at more than 9 failures of 10. It also "
                            + "keeps statistics of the resource.",
                    "Failsafe and SmallRye have no slow calls. Only Sentinel among the peers has a window that is "
                            + "counted anew.",
                    "\"Failure, then success\" is two calls, because every breaker would open if all calls "
                            + "failed.",
                    "\"Opened, then closed\" is two state changes by hand, without a listener."));

    private BreakerPart() {}

    private static Row row(
            String work, String method, Window window, List<Contestant> contestants, List<Target> targets) {
        return new Row(
                work,
                method,
                contestants.stream()
                        .map(contestant -> contestant.params().isEmpty() ? over(window, contestant) : contestant)
                        .toList(),
                targets);
    }

    private static Contestant over(Window window, Contestant contestant) {
        return contestant.with(Map.of("window", window.name()));
    }

    private static Row failure(String window, Window counted, Contestant... contestants) {
        return row(
                        "failure, then success, " + window,
                        "failureAndSuccess",
                        counted,
                        List.of(contestants),
                        List.of(Target.bytes(1, 0), Target.bytes(1, 0).by(EXECUTE.label())))
                .on(1);
    }

    /** The target is 400 ns, because the row is two changes of at most 200 ns each. */
    private static Row stateChange(String window, Window counted) {
        return row(
                        "opened, then closed, " + window,
                        "openAndClose",
                        counted,
                        List.of(CHANGE, RESILIENCE4J_PERMIT, FAILSAFE_PERMIT, PERMIT),
                        List.of(Target.nanos(1, 400)))
                .on(1);
    }

    private static List<Target> targets(Contestant floor, double times) {
        return List.of(
                Target.time(1, times, floor.label()),
                Target.bytes(1, 0),
                Target.time(1, times, floor.label()).by(EXECUTE.label()),
                Target.bytes(1, 0).by(EXECUTE.label()));
    }
}

package io.tidegate.measure;

import io.tidegate.Reading;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * Measures how an engine answers: how long each operation takes, and how often it fails. Reading does not call the
 * engine.
 */
public final class RoundTrips {
    /* The frequent operations. All others are reported together, so that there are few series. */
    private static final List<String> OPERATIONS =
            List.of("acquire", "succeed", "succeed-and-take-next", "fail", "renew", "release", "pending");

    private static final String OTHER = "other";

    private final Map<String, Times> times = new LinkedHashMap<>();
    private final Times others = new Times();
    private final LongAdder errors = new LongAdder();

    /** Begins with nothing measured. */
    public RoundTrips() {
        OPERATIONS.forEach(operation -> times.put(operation, new Times()));
        times.put(OTHER, others);
    }

    /**
     * Calls the engine, and measures the call.
     *
     * @param question returns the engine's answer, and throws if there is none
     */
    public <T> T ask(String operation, Supplier<T> question) {
        Times taken = times.getOrDefault(operation, others);
        long stamp = taken.begin();
        try {
            return question.get();
        } catch (Throwable unanswered) {
            errors.increment();
            throw unanswered;
        } finally {
            taken.end(stamp);
        }
    }

    /** Reports the times and the errors. */
    public void read(Reading to) {
        times.forEach((operation, taken) -> taken.read(to, "round.trip", "operation", operation));
        to.count("errors", errors.sum());
    }
}

package io.tidegate.guard;

import io.tidegate.Part;
import java.time.Duration;
import java.util.Optional;

/**
 * One layer of a guard, for views of it.
 *
 * @param kind {@code "time-limit"}, {@code "retry"}, {@code "hedge"}, or the kind of its part: {@code "rate"}, {@code
 *     "breaker"}, {@code "bulkhead"}, {@code "remote"} or {@code "cluster"}
 * @param part the part of this layer, if it has one
 * @param limit the present limit of a time limit
 */
public record GuardLayer(String kind, Optional<Part> part, Optional<Duration> limit) {}

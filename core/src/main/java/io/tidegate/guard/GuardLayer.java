package io.tidegate.guard;

import io.tidegate.Part;
import java.time.Duration;
import java.util.Optional;

/**
 * One layer of a guard, for those who show it.
 *
 * @param kind {@code "time-limit"}, {@code "retry"}, {@code "hedge"}, or the kind of the part that stands here: {@code
 *     "rate"}, {@code "breaker"}, {@code "bulkhead"}, {@code "remote"} or {@code "cluster"}
 * @param part the part that stands here, if it is one
 * @param limit of a time limit; of one that may change the present one
 */
public record GuardLayer(String kind, Optional<Part> part, Optional<Duration> limit) {}

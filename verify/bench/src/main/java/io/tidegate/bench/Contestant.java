package io.tidegate.bench;

import java.util.Map;

/**
 * One way of doing a row's work.
 *
 * @param benchmarks the class with the row's benchmark method
 * @param params what that class's JMH parameters are set to
 */
public record Contestant(Role role, String label, Class<?> benchmarks, Map<String, String> params) {
    /** What a contestant is there for. */
    public enum Role {
        /** The least that the work can cost; one in each row. */
        FLOOR,
        /** Something else written by hand, to compare with. */
        REFERENCE,
        /** Another library. */
        PEER,
        /** What is judged. */
        TIDEGATE
    }

    /** The least that the work can cost. */
    public static Contestant floor(String label, Class<?> benchmarks) {
        return new Contestant(Role.FLOOR, label, benchmarks, Map.of());
    }

    /** Something else written by hand. */
    public static Contestant reference(String label, Class<?> benchmarks) {
        return new Contestant(Role.REFERENCE, label, benchmarks, Map.of());
    }

    /** Another library. */
    public static Contestant peer(String label, Class<?> benchmarks) {
        return new Contestant(Role.PEER, label, benchmarks, Map.of());
    }

    /** What is judged. */
    public static Contestant tidegate(String label, Class<?> benchmarks) {
        return new Contestant(Role.TIDEGATE, label, benchmarks, Map.of());
    }

    /** The same with its JMH parameters set. */
    public Contestant with(Map<String, String> values) {
        return new Contestant(role, label, benchmarks, values);
    }
}

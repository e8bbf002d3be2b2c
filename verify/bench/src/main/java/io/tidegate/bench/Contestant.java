package io.tidegate.bench;

import java.util.Map;

/**
 * One way to do a row's work.
 *
 * @param benchmarks the class with the row's benchmark method
 * @param params the values of that class's JMH parameters
 */
public record Contestant(Role role, String label, Class<?> benchmarks, Map<String, String> params) {
    /** The role of a contestant. */
    public enum Role {
        /** The least that the work can cost; one in each row. */
        FLOOR,
        /** Handwritten code, to compare with. */
        REFERENCE,
        /** Another library. */
        PEER,
        /** Tidegate, which the targets are about. */
        TIDEGATE
    }

    /** Makes a floor. */
    public static Contestant floor(String label, Class<?> benchmarks) {
        return new Contestant(Role.FLOOR, label, benchmarks, Map.of());
    }

    /** Makes a reference. */
    public static Contestant reference(String label, Class<?> benchmarks) {
        return new Contestant(Role.REFERENCE, label, benchmarks, Map.of());
    }

    /** Makes a peer. */
    public static Contestant peer(String label, Class<?> benchmarks) {
        return new Contestant(Role.PEER, label, benchmarks, Map.of());
    }

    /** Makes a contestant of Tidegate. */
    public static Contestant tidegate(String label, Class<?> benchmarks) {
        return new Contestant(Role.TIDEGATE, label, benchmarks, Map.of());
    }

    /** Returns the same contestant with these values of its JMH parameters. */
    public Contestant with(Map<String, String> values) {
        return new Contestant(role, label, benchmarks, values);
    }
}

package io.tidegate.bench;

import io.tidegate.bench.Contestant.Role;
import java.util.List;

/**
 * One piece of work, done by all contestants.
 *
 * @param method the benchmark method that does it, in the class of each contestant
 * @param targets what Tidegate must reach
 * @param threads the numbers of threads it is done on
 */
public record Row(
        String work, String method, List<Contestant> contestants, List<Target> targets, List<Integer> threads) {
    /** Makes a row on one thread and on two. */
    public Row(String work, String method, List<Contestant> contestants, List<Target> targets) {
        this(work, method, contestants, targets, List.of(1, 2));
    }

    /** Returns the same row on other numbers of threads. */
    public Row on(Integer... numbers) {
        return new Row(work, method, contestants, targets, List.of(numbers));
    }

    Contestant floor() {
        return first(Role.FLOOR);
    }

    Contestant tidegate() {
        return first(Role.TIDEGATE);
    }

    List<Contestant> peers() {
        return contestants.stream()
                .filter(contestant -> contestant.role() == Role.PEER)
                .toList();
    }

    Contestant named(String label) {
        return contestants.stream()
                .filter(contestant -> contestant.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no contestant '" + label + "' in: " + work));
    }

    private Contestant first(Role role) {
        return contestants.stream()
                .filter(contestant -> contestant.role() == role)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no contestant of role " + role + " in: " + work));
    }
}

package io.tidegate.bench;

import io.tidegate.bench.Contestant.Role;
import java.util.List;

/**
 * One piece of work, done by all contestants.
 *
 * @param method the benchmark method that does it, in the class of each contestant
 * @param targets what the first contestant of role {@link Role#TIDEGATE} must reach
 */
public record Row(String work, String method, List<Contestant> contestants, List<Target> targets) {
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

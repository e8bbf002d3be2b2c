package io.tidegate.lab.breaker;

import io.tidegate.breaker.State;
import io.tidegate.breaker.StateChangeListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The states of a breaker that starts closed, and when each began. Thread-safe. */
final class StateLog implements StateChangeListener {
    private record Change(Duration at, State to) {}

    private final Supplier<Duration> elapsed;
    private final List<Change> changes = new ArrayList<>();

    StateLog(Supplier<Duration> elapsed) {
        this.elapsed = elapsed;
        changes.add(new Change(Duration.ZERO, State.CLOSED));
    }

    @Override
    public synchronized void onStateChange(String name, State from, State to) {
        changes.add(new Change(elapsed.get(), to));
    }

    /** Returns when the breaker first opened. */
    synchronized Optional<Duration> opened() {
        return changes.stream()
                .filter(change -> change.to == State.OPEN)
                .map(Change::at)
                .findFirst();
    }

    /** Returns when it closed for good after having been open. */
    synchronized Optional<Duration> closedAgain() {
        Change last = changes.get(changes.size() - 1);
        return changes.size() > 1 && last.to == State.CLOSED ? Optional.of(last.at) : Optional.empty();
    }

    /** Returns all states of the breaker from one time on and before another. */
    synchronized Set<State> during(Duration from, Duration to) {
        Set<State> states = EnumSet.noneOf(State.class);
        State state = State.CLOSED;
        for (Change change : changes) {
            if (change.at.compareTo(from) > 0) {
                states.add(state);
            }
            if (change.at.compareTo(to) >= 0) {
                return states;
            }
            state = change.to;
        }
        states.add(state);
        return states;
    }
}

package io.tidegate.lab.play;

import io.tidegate.Registry;
import io.tidegate.lab.load.Time;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Two equal services under the same load: one without protection, one behind the protections that are switched on. */
final class Shop implements Stage {
    static final String NAME = "shop";

    private final ServiceWork bareWork = new ServiceWork();
    private final ServiceWork shieldedWork = new ServiceWork();
    private final Caller bareCaller;
    private final Caller shieldedCaller;
    private final Shield shield;
    private final Lane bare;
    private final Lane shielded;
    private final Map<Knob, Integer> knobs = new EnumMap<>(Knob.class);

    Shop(Registry registry, Time time) throws IOException {
        this.bareCaller = new Caller(bareWork);
        this.shieldedCaller = new Caller(shieldedWork);
        this.shield = new Shield(registry);
        this.bare = new Lane("Without protection", bareCaller::call, bareCaller::inside, time);
        this.shielded =
                new Lane("With protection", () -> shield.submit(shieldedCaller::call), shieldedCaller::inside, time);
        for (Knob knob : Knob.values()) {
            knobs.put(knob, knob.usual());
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "A service under load";
    }

    synchronized int knob(Knob knob) {
        return knobs.getOrDefault(knob, knob.usual());
    }

    synchronized void turn(Knob knob, int value) {
        knobs.put(knob, value);
        for (ServiceWork work : List.of(bareWork, shieldedWork)) {
            switch (knob) {
                case OFFERED -> {}
                case CAPACITY -> work.capacity(value);
                case FAILURES -> work.failures(value);
                case LATENCY -> work.latency(value);
            }
        }
    }

    @Override
    public List<Dial> dials() {
        return Arrays.stream(Knob.values())
                .map(knob -> new Dial(
                        knob.word(),
                        knob.label(),
                        knob.unit(),
                        knob.min(),
                        knob.max(),
                        () -> knob(knob),
                        value -> turn(knob, value)))
                .toList();
    }

    @Override
    public Map<String, Object> more() {
        long carries = Math.round(carries());
        return Map.of(
                "note",
                knob(Knob.OFFERED) > carries
                        ? "The service can carry " + carries + " calls a second. It gets more than that."
                        : "The service can carry " + carries + " calls a second.");
    }

    Set<Protection> on() {
        return shield.on();
    }

    void protect(Protection... wanted) {
        shield.set(Set.of(wanted), knob(Knob.CAPACITY));
    }

    void protect(Protection protection, boolean wanted) {
        Set<Protection> on = EnumSet.noneOf(Protection.class);
        on.addAll(shield.on());
        if (wanted) {
            on.add(protection);
        } else {
            on.remove(protection);
        }
        shield.set(on, knob(Knob.CAPACITY));
    }

    /** Sets everything as it was at first. */
    void reset() {
        for (Knob knob : Knob.values()) {
            turn(knob, knob.usual());
        }
        protect();
    }

    /** Returns how many calls a second the service can carry. */
    double carries() {
        return knob(Knob.CAPACITY) * 1_000.0 / knob(Knob.LATENCY);
    }

    Lane bare() {
        return bare;
    }

    Lane shielded() {
        return shielded;
    }

    @Override
    public void tick() {
        int offered = knob(Knob.OFFERED);
        bare.send(offered);
        shielded.send(offered);
    }

    @Override
    public List<Lane> lanes() {
        return List.of(bare, shielded);
    }

    @Override
    public void close() {
        bareCaller.close();
        shieldedCaller.close();
        shield.close();
    }
}

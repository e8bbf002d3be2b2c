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
final class ShopStage implements Stage {
    static final String NAME = "shop";

    private final ServiceWork bareWork = new ServiceWork();
    private final ServiceWork guardedWork = new ServiceWork();
    private final Caller bareCaller;
    private final Caller guardedCaller;
    private final SwitchedGuard switched;
    private final Lane bare;
    private final Lane guarded;
    private final Map<ShopSlider, Integer> sliders = new EnumMap<>(ShopSlider.class);

    ShopStage(Registry registry, Time time) throws IOException {
        this.bareCaller = new Caller(bareWork);
        this.guardedCaller = new Caller(guardedWork);
        this.switched = new SwitchedGuard(registry);
        this.bare = new Lane("Without protection", bareCaller::call, bareCaller::inside, time);
        this.guarded =
                new Lane("With protection", () -> switched.submit(guardedCaller::call), guardedCaller::inside, time);
        for (ShopSlider slider : ShopSlider.values()) {
            sliders.put(slider, slider.usual());
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

    synchronized int slider(ShopSlider slider) {
        return sliders.getOrDefault(slider, slider.usual());
    }

    synchronized void move(ShopSlider slider, int value) {
        sliders.put(slider, value);
        for (ServiceWork work : List.of(bareWork, guardedWork)) {
            switch (slider) {
                case OFFERED -> {}
                case CAPACITY -> work.capacity(value);
                case FAILURES -> work.failures(value);
                case LATENCY -> work.latency(value);
            }
        }
    }

    @Override
    public List<Slider> sliders() {
        return Arrays.stream(ShopSlider.values())
                .map(slider -> new Slider(
                        slider.word(),
                        slider.label(),
                        slider.unit(),
                        slider.min(),
                        slider.max(),
                        () -> slider(slider),
                        value -> move(slider, value)))
                .toList();
    }

    @Override
    public Map<String, Object> more() {
        long carries = Math.round(carries());
        return Map.of(
                "note",
                slider(ShopSlider.OFFERED) > carries
                        ? "The service can carry " + carries + " calls a second. It gets more than that."
                        : "The service can carry " + carries + " calls a second.");
    }

    Set<Protection> on() {
        return switched.on();
    }

    void protect(Protection... wanted) {
        switched.set(Set.of(wanted), slider(ShopSlider.CAPACITY));
    }

    void protect(Protection protection, boolean wanted) {
        Set<Protection> on = EnumSet.noneOf(Protection.class);
        on.addAll(switched.on());
        if (wanted) {
            on.add(protection);
        } else {
            on.remove(protection);
        }
        switched.set(on, slider(ShopSlider.CAPACITY));
    }

    /** Sets everything as it was at first. */
    void reset() {
        for (ShopSlider slider : ShopSlider.values()) {
            move(slider, slider.usual());
        }
        protect();
    }

    /** Returns how many calls a second the service can carry. */
    double carries() {
        return slider(ShopSlider.CAPACITY) * 1_000.0 / slider(ShopSlider.LATENCY);
    }

    Lane bare() {
        return bare;
    }

    Lane guarded() {
        return guarded;
    }

    @Override
    public void tick() {
        int offered = slider(ShopSlider.OFFERED);
        bare.send(offered);
        guarded.send(offered);
    }

    @Override
    public List<Lane> lanes() {
        return List.of(bare, guarded);
    }

    @Override
    public void close() {
        bareCaller.close();
        guardedCaller.close();
        switched.close();
    }
}

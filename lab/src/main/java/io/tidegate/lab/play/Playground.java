package io.tidegate.lab.play;

import io.tidegate.Registry;
import io.tidegate.console.panel.Panel;
import io.tidegate.lab.load.Time;
import io.tidegate.lab.orders.Store;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The lab's view in the console: what it shows and does. One stage has load at a time: the chosen one, or else the
 * shop, which always exists.
 */
public final class Playground implements Panel, AutoCloseable {
    private static final long LOAD_MILLIS = 10;
    private static final long LOOK_MILLIS = 250;
    private static final Set<String> FILES = Set.of("panel.js", "panel.css");
    private static final List<String> STAGES =
            List.of(ShopStage.NAME, TenantsStage.NAME, OrdersStage.NAME, DrainStage.NAME, MembersStage.NAME);

    private final Registry registry;
    private final Time time;
    private final Store store;
    private final ShopStage shop;
    private final Object changing = new Object();
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(
            2, Thread.ofPlatform().daemon().name("lab-play-", 0).factory());
    private volatile Stage stage;
    private volatile @Nullable TourWalk walk;

    /**
     * Makes a playground without load, whose tours do not go on by themselves.
     *
     * @param store where the leases of the orders are
     */
    Playground(Registry registry, Store store, Time time) throws IOException {
        this.registry = registry;
        this.store = store;
        this.time = time;
        this.shop = new ShopStage(registry, time);
        this.stage = shop;
    }

    /** Makes a playground with load, whose tours go on by themselves. */
    public static Playground start(Registry registry, Store store) throws IOException {
        Playground playground = new Playground(registry, store, Time.SYSTEM);
        playground.every(LOAD_MILLIS, playground::tick);
        playground.every(LOOK_MILLIS, playground::look);
        return playground;
    }

    /* A task that throws would never run again. */
    private void every(long millis, Runnable task) {
        var unused = clock.scheduleWithFixedDelay(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException next) {
                        // The store did not answer, or the stage was closed: the next run may succeed.
                    }
                },
                millis,
                millis,
                TimeUnit.MILLISECONDS);
    }

    /** Makes the calls that are due. */
    void tick() {
        stage.tick();
    }

    /** Lets the tour go on. */
    void look() {
        TourWalk present = walk;
        if (present != null) {
            present.look();
        }
    }

    ShopStage shop() {
        return shop;
    }

    Stage stage() {
        return stage;
    }

    /**
     * Starts a tour from its beginning, on a stage of its own.
     *
     * @throws IllegalArgumentException if there is no such tour
     */
    void tour(String name) {
        Tours tour = Tours.of(name);
        synchronized (changing) {
            stopTour();
            open(tour.stage(), true);
            walk = new TourWalk(tour.on(stage), time);
        }
    }

    /** Returns the words that choose a tour. */
    public static List<String> tours() {
        return Arrays.stream(Tours.values()).map(Tours::word).toList();
    }

    /**
     * Checks that there is a tour of this name.
     *
     * @throws IllegalArgumentException if there is none, with the names of all tours
     */
    public static void requireTour(String name) {
        Tours.of(name);
    }

    /** Returns the text of the tour's present step; empty without a tour. */
    String says() {
        TourWalk present = walk;
        return present == null ? "" : present.says();
    }

    /** Whether no tour runs: the last one is over, or none was started. */
    boolean isTourOver() {
        TourWalk present = walk;
        return present == null || present.isOver();
    }

    private void nextStep() {
        TourWalk present = walk;
        if (present != null) {
            present.next();
        }
    }

    private void stopTour() {
        TourWalk present = walk;
        if (present != null) {
            present.stop();
        }
    }

    private void open(String name, boolean anew) {
        if (!STAGES.contains(name)) {
            throw unknown("stage", name, STAGES);
        }
        if (stage.name().equals(name) && (stage == shop || !anew)) {
            return;
        }
        Stage before = stage;
        stage = shop;
        if (before != shop) {
            before.close();
        }
        try {
            stage = make(name);
        } catch (IOException | RuntimeException failed) {
            throw new IllegalArgumentException(
                    "stage: " + name + " (expected: one that can be started): " + failed.getMessage(), failed);
        }
    }

    private Stage make(String name) throws IOException {
        return switch (name) {
            case TenantsStage.NAME -> new TenantsStage(registry, time);
            case OrdersStage.NAME -> new OrdersStage(store, registry, time);
            case DrainStage.NAME -> new DrainStage(registry, time);
            case MembersStage.NAME -> new MembersStage(registry, time);
            default -> shop;
        };
    }

    @Override
    public String title() {
        return "Lab";
    }

    @Override
    public @Nullable InputStream file(String name) {
        return FILES.contains(name) ? Playground.class.getResourceAsStream(name) : null;
    }

    @Override
    public Map<String, ?> state() {
        Stage shown = stage;
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("stages", STAGES);
        state.put("stage", shown.name());
        state.put("title", shown.title());
        state.put("lanes", shown.lanes().stream().map(Lane::state).toList());
        state.put("more", shown.more());
        state.put("canKill", shown.canKill());
        state.put("sliders", shown.sliders().stream().map(Slider::state).toList());
        if (shown == shop) {
            state.put(
                    "switches",
                    Arrays.stream(Protection.values()).map(this::protection).toList());
        }
        state.put(
                "tours",
                Arrays.stream(Tours.values())
                        .map(tour -> Map.of("name", tour.word(), "title", tour.title()))
                        .toList());
        TourWalk present = walk;
        if (present != null) {
            state.put("tour", present.state());
        }
        return state;
    }

    private Map<String, Object> protection(Protection protection) {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("name", protection.word());
        state.put("label", protection.label());
        state.put("hint", protection.hint());
        state.put("on", shop.on().contains(protection));
        return state;
    }

    @Override
    public Map<String, ?> act(String action, Map<String, ?> body) {
        synchronized (changing) {
            switch (action) {
                case "set" -> set(body);
                case "switch" -> protect(body);
                case "reset" -> {
                    stopTour();
                    shop.reset();
                }
                case "stage" -> {
                    stopTour();
                    open(text(body, "name"), false);
                }
                case "tour" -> tour(text(body, "name"));
                case "next" -> nextStep();
                case "stop" -> stopTour();
                case "kill" -> {
                    return Map.of("killed", stage.kill());
                }
                default ->
                    throw new IllegalArgumentException(
                            "action: " + action + " (expected: set, switch, reset, stage, tour, next, stop or kill)");
            }
            return Map.of("done", action);
        }
    }

    /* A user who moves a slider has taken over from the tour. */
    private void set(Map<String, ?> body) {
        String name = text(body, "slider");
        List<Slider> sliders = stage.sliders();
        Slider slider = sliders.stream()
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(
                        "slider",
                        name,
                        sliders.isEmpty()
                                ? List.of("a stage with sliders")
                                : sliders.stream().map(Slider::name).toList()));
        if (!(body.get("value") instanceof Number value) || value.intValue() != value.doubleValue()) {
            throw new IllegalArgumentException("value: " + body.get("value") + " (expected: a whole number)");
        }
        slider.move(value.intValue());
        stopTour();
    }

    private void protect(Map<String, ?> body) {
        String name = text(body, "protection");
        Protection protection = Arrays.stream(Protection.values())
                .filter(known -> known.word().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(
                        "protection",
                        name,
                        Arrays.stream(Protection.values()).map(Protection::word).toList()));
        if (!(body.get("on") instanceof Boolean on)) {
            throw new IllegalArgumentException("on: " + body.get("on") + " (expected: true or false)");
        }
        shop.protect(protection, on);
        stopTour();
    }

    private static String text(Map<String, ?> body, String name) {
        if (body.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(name + ": " + body.get(name) + " (expected: a text)");
    }

    private static IllegalArgumentException unknown(String what, String given, List<String> known) {
        return new IllegalArgumentException(what + ": " + given + " (expected: " + String.join(", ", known) + ")");
    }

    @Override
    public void close() {
        clock.shutdownNow();
        clock.close();
        synchronized (changing) {
            stopTour();
            open(ShopStage.NAME, false);
            shop.close();
        }
    }
}

package io.tidegate.lab;

import io.tidegate.lab.adaptive.AdaptiveScene;
import io.tidegate.lab.adaptive.ChangingCapacity;
import io.tidegate.lab.breaker.BreakerScene;
import io.tidegate.lab.breaker.Outage;
import io.tidegate.lab.bulkhead.BulkheadScene;
import io.tidegate.lab.bulkhead.Overload;
import io.tidegate.lab.groups.GroupsScene;
import io.tidegate.lab.groups.TenantPlan;
import io.tidegate.lab.guard.GuardScene;
import io.tidegate.lab.guard.Recorder;
import io.tidegate.lab.guard.Storm;
import io.tidegate.lab.load.Time;
import io.tidegate.lab.orders.LeaseScene;
import io.tidegate.lab.orders.OrderPlan;
import io.tidegate.lab.orders.Store;
import io.tidegate.lab.play.Browser;
import io.tidegate.lab.play.Comparison;
import io.tidegate.lab.play.Page;
import io.tidegate.lab.play.Playground;
import io.tidegate.lab.print.Json;
import io.tidegate.lab.print.Screen;
import io.tidegate.lab.remote.LoweredCap;
import io.tidegate.lab.remote.RemoteScene;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The command: opens the page, or plays the scene that its arguments name, or the first scene. */
public final class Lab {
    private static final String RECORD = "--record";
    private static final String HOW_TO_OPEN =
            "The same on a page, to play with by hand: ./tidegate lab --open prints its address.";

    private static final List<Scene> SCENES = List.of(
            new BulkheadScene(Overload.DEFAULT),
            new AdaptiveScene(ChangingCapacity.DEFAULT),
            new BreakerScene(Outage.DEFAULT),
            new GuardScene(Storm.DEFAULT),
            new RemoteScene(LoweredCap.DEFAULT),
            new GroupsScene(TenantPlan.DEFAULT),
            new LeaseScene(OrderPlan.DEFAULT),
            Comparison.usual());

    private final List<Scene> scenes;
    private final Screen screen;
    private final PrintStream errors;
    private final Path from;
    private final Browser browser;

    Lab(List<Scene> scenes, Screen screen, PrintStream errors, Path from, Browser browser) {
        this.scenes = scenes;
        this.screen = screen;
        this.errors = errors;
        this.from = from;
        this.browser = browser;
    }

    /**
     * Runs the lab and exits: with 0 when the scene or tour ran to its end, 1 when it could not, and 2 when the
     * arguments are not understood.
     *
     * @param args the command's words and options; see {@code help}
     */
    public static void main(String[] args) {
        Screen screen = new Screen(System.out, Boolean.getBoolean("tidegate.terminal"));
        Path from = Path.of(System.getProperty("tidegate.from", ""));
        System.exit(new Lab(SCENES, screen, System.err, from, Browser.ofThisMachine()).run(args));
    }

    int run(String... args) {
        try {
            Options options = Options.parse(args);
            if (options.help()) {
                printUsage(screen.out());
                return 0;
            }
            boolean nothingAsked = args.length == 0;
            return options.open() || (nothingAsked && browser.hasDisplay()) ? open(options) : scene(options);
        } catch (IllegalArgumentException notUnderstood) {
            errors.println(notUnderstood.getMessage());
            errors.println();
            printUsage(errors);
            return 2;
        }
    }

    private int open(Options options) {
        Store store = store(options).orElse(Store.MEMORY);
        options.tour().ifPresent(Playground::requireTour);
        return attempt(() -> new Page(store, options.port(), options.tour(), browser, screen.out()).run());
    }

    private Optional<Store> store(Options options) {
        return options.store().map(text -> Store.parse(text, from, System.getenv()));
    }

    private int scene(Options options) {
        Scene scene = chosen(options);
        if (options.record().isPresent()) {
            return record(scene, options.record().get(), options.json());
        }
        int code = play(scene, options.json());
        if (options.scene().isEmpty() && !options.json()) {
            screen.out().println();
            screen.out().println(HOW_TO_OPEN);
        }
        return code;
    }

    private Scene chosen(Options options) {
        String name = options.scene().orElse(scenes.get(0).name());
        Scene scene = scenes.stream()
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("scene: " + name + " (expected: one of those below)"));
        Optional<Store> store = store(options);
        if (store.isPresent()) {
            scene = scene.on(store.get()).orElseThrow(() -> cannot("--store", "lease, or --open"));
        }
        if (options.out().isPresent()) {
            Path file = file("--out", options.out().get());
            scene = scene.writing(file).orElseThrow(() -> cannot("--out", "compare"));
        }
        return scene;
    }

    private static IllegalArgumentException cannot(String option, String expected) {
        return new IllegalArgumentException(option + ": with another scene (expected: " + expected + ")");
    }

    private Path file(String option, String name) {
        try {
            return from.resolve(name);
        } catch (InvalidPathException noName) {
            throw new IllegalArgumentException(
                    option + ": " + name + " (expected: a file that can be written)", noName);
        }
    }

    private int record(Scene scene, String name, boolean json) {
        Recorder recorder = new Recorder(Time.SYSTEM);
        Optional<Scene> recorded = scene.recordedBy(recorder);
        if (recorded.isEmpty()) {
            errors.println("scene: " + scene.name() + " (expected: one that can be recorded)");
            return 2;
        }
        // The file is opened before the scene, so that a scene that cannot be recorded does not start.
        try (Writer file = Files.newBufferedWriter(from.resolve(name))) {
            int code = play(recorded.get(), json);
            file.write(recorder.table());
            return code;
        } catch (IOException | InvalidPathException unwritable) {
            errors.println(RECORD + ": " + name + " (expected: a file that can be written): " + unwritable);
            return 1;
        }
    }

    private int play(Scene scene, boolean json) {
        if (!json) {
            return attempt(() -> scene.play(screen));
        }
        List<List<Map<String, Object>>> tables = new ArrayList<>();
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        int code = attempt(() -> scene.play(new Screen(nowhere, false, table -> tables.add(table.figures()))));
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("scene", scene.name());
        figures.put("about", scene.about());
        figures.put("tables", tables);
        screen.out().println(Json.write(figures));
        return code;
    }

    private interface Attempt {
        void run() throws IOException, InterruptedException;
    }

    private int attempt(Attempt attempt) {
        try {
            attempt.run();
            return 0;
        } catch (IOException failed) {
            errors.println("The lab could not start its service or its workers: " + failed.getMessage());
            return 1;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            errors.println("The lab was interrupted.");
            return 1;
        }
    }

    private void printUsage(PrintStream to) {
        to.println("""
                usage: tidegate lab [scene] [options]

                --open            start the page: a service, load, sliders, switches and tours; prints its address
                --tour NAME       the same, and walk a tour; ends with it: %s
                --port N          where the page is; any port that is free unless given
                --headless        play a scene in this terminal though there is a display
                --json            print the figures of the scene for machines
                --store STORE     of lease and the page: where leases are kept; with anything but memory the workers
                                  are processes: memory, file:PATH or PATH.mv.db (H2), jdbc:postgresql://…, redis://…;
                                  logs in as $TIDEGATE_USER with $TIDEGATE_PASSWORD, if they are set
                --out FILE        of compare: where to write its page; %s unless given
                --record FILE     of guard: write the measures of the guarded run into a table
                """.formatted(String.join(", ", Playground.tours()), Comparison.USUAL_FILE));
        to.println("scenes (without one and without a display: " + scenes.get(0).name() + ")");
        int width =
                scenes.stream().mapToInt(scene -> scene.name().length()).max().orElse(0);
        for (Scene scene : scenes) {
            String gap = " ".repeat(width - scene.name().length() + 2);
            to.println("  " + scene.name() + gap + scene.about());
        }
    }
}

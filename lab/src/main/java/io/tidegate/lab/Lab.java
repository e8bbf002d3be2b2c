package io.tidegate.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The command: plays the scene it is given, or the first one. */
public final class Lab {
    private static final String RECORD = "--record";

    private static final List<Scene> SCENES = List.of(
            new BulkheadScene(Overload.DEFAULT),
            new AdaptiveScene(ChangingCapacity.DEFAULT),
            new BreakerScene(Outage.DEFAULT),
            new GuardScene(Storm.DEFAULT),
            new RemoteScene(LoweredCap.DEFAULT),
            new GroupsScene(WildTenant.DEFAULT),
            new LeaseScene(DyingWorker.DEFAULT));

    private final List<Scene> scenes;
    private final Screen screen;
    private final PrintStream errors;
    private final Path from;

    Lab(List<Scene> scenes, Screen screen, PrintStream errors, Path from) {
        this.scenes = scenes;
        this.screen = screen;
        this.errors = errors;
        this.from = from;
    }

    /**
     * Runs the lab and exits: 0 when the scene ran to its end, 1 when it could not, 2 when there is no such scene.
     *
     * @param args the name of a scene, and how to record it: {@code --record} and a file; both may be left out
     */
    public static void main(String[] args) {
        Screen screen = new Screen(System.out, Boolean.getBoolean("tidegate.terminal"));
        Path from = Path.of(System.getProperty("tidegate.from", ""));
        System.exit(new Lab(SCENES, screen, System.err, from).run(args));
    }

    int run(String... args) {
        String name = args.length == 0 ? scenes.get(0).name() : args[0];
        List<Scene> chosen =
                scenes.stream().filter(scene -> scene.name().equals(name)).toList();
        boolean record = args.length == 3 && args[1].equals(RECORD);
        if (chosen.isEmpty() || (args.length > 1 && !record)) {
            printUsage();
            return 2;
        }
        return record ? record(chosen.get(0), args[2]) : play(chosen.get(0));
    }

    private int record(Scene scene, String name) {
        Recorder recorder = new Recorder(Time.SYSTEM);
        Optional<Scene> recorded = scene.recordedBy(recorder);
        if (recorded.isEmpty()) {
            errors.println("scene: " + scene.name() + " (expected: one that can be recorded)");
            return 2;
        }
        // Opened first, so that nobody watches a scene whose recording has no place to go.
        try (Writer file = Files.newBufferedWriter(from.resolve(name))) {
            int code = play(recorded.get());
            file.write(recorder.table());
            return code;
        } catch (IOException | InvalidPathException unwritable) {
            errors.println(RECORD + ": " + name + " (expected: a file that can be written): " + unwritable);
            return 1;
        }
    }

    private int play(Scene scene) {
        try {
            scene.play(screen);
            return 0;
        } catch (IOException failed) {
            errors.println("The lab could not start its service on the loopback address: " + failed.getMessage());
            return 1;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            errors.println("The lab was interrupted.");
            return 1;
        }
    }

    private void printUsage() {
        errors.println("usage: tidegate lab [scene] [--record FILE]");
        errors.println();
        errors.println("scenes (default: " + scenes.get(0).name() + ")");
        int width =
                scenes.stream().mapToInt(scene -> scene.name().length()).max().orElse(0);
        for (Scene scene : scenes) {
            String gap = " ".repeat(width - scene.name().length() + 2);
            errors.println("  " + scene.name() + gap + scene.about());
        }
        errors.println();
        errors.println("--record FILE writes what the guarded run's parts told into a table; of guard only");
    }
}

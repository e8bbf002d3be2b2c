package io.tidegate.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** The command: plays the scene it is given, or the first one. */
public final class Lab {
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

    Lab(List<Scene> scenes, Screen screen, PrintStream errors) {
        this.scenes = scenes;
        this.screen = screen;
        this.errors = errors;
    }

    /**
     * Runs the lab and exits: 0 when the scene ran to its end, 1 when it could not, 2 when there is no such scene.
     *
     * @param args at most one: the name of a scene
     */
    public static void main(String[] args) {
        Screen screen = new Screen(System.out, Boolean.getBoolean("tidegate.terminal"));
        System.exit(new Lab(SCENES, screen, System.err).run(args));
    }

    int run(String... args) {
        String name = args.length == 0 ? scenes.get(0).name() : args[0];
        List<Scene> chosen =
                scenes.stream().filter(scene -> scene.name().equals(name)).toList();
        if (args.length > 1 || chosen.isEmpty()) {
            printUsage();
            return 2;
        }
        return play(chosen.get(0));
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
        errors.println("usage: tidegate lab [scene]");
        errors.println();
        errors.println("scenes (default: " + scenes.get(0).name() + ")");
        int width =
                scenes.stream().mapToInt(scene -> scene.name().length()).max().orElse(0);
        for (Scene scene : scenes) {
            String gap = " ".repeat(width - scene.name().length() + 2);
            errors.println("  " + scene.name() + gap + scene.about());
        }
    }
}

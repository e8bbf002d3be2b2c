package io.tidegate.scale;

import io.tidegate.lease.RunnerScale;
import io.tidegate.remote.BackpressurePolicy;
import java.io.PrintStream;
import java.util.Iterator;
import java.util.List;

/** The program behind {@code ./tidegate scale}. */
public final class Scale {
    private static final String USAGE = """
            usage: ./tidegate scale [runner|cap] [--quick] [--seed N]
              runner    200 processes with lease runners over a million domains on one engine
              cap       a thousand members of one cap of 10,000
              --quick   a tenth as many, in seconds
              --seed N  another course of things; the same number gives the same figures""";

    private final PrintStream out;
    private final boolean terminal;

    Scale(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    public static void main(String[] args) {
        System.exit(new Scale(System.out, Boolean.getBoolean("tidegate.terminal")).run(List.of(args)));
    }

    int run(List<String> words) {
        boolean quick = false;
        long seed = 1;
        boolean runner = false;
        boolean cap = false;
        for (Iterator<String> given = words.iterator(); given.hasNext(); ) {
            String word = given.next();
            switch (word) {
                case "runner" -> runner = true;
                case "cap" -> cap = true;
                case "--quick" -> quick = true;
                case "--seed" -> {
                    String number = given.hasNext() ? given.next() : "";
                    if (!number.matches("\\d{1,18}")) {
                        return refuse("--seed: '" + number + "' (expected: a number)");
                    }
                    seed = Long.parseLong(number);
                }
                default -> {
                    return refuse("unknown word '" + word + "'");
                }
            }
        }
        boolean right = true;
        if (runner || !cap) {
            right = scaleRunner(quick ? RunnerScale.Size.QUICK : RunnerScale.Size.FULL, seed);
        }
        if (cap || !runner) {
            right &= scaleCap(quick ? CapScale.Size.QUICK : CapScale.Size.FULL, seed);
        }
        return right ? 0 : 1;
    }

    private int refuse(String why) {
        out.println("scale: " + why);
        out.println(USAGE);
        return 2;
    }

    /* Returns whether no work was lost. */
    private boolean scaleRunner(RunnerScale.Size size, long seed) {
        RunnerScale world = new RunnerScale(size, seed, this::show);
        Figures figures = world.run();
        show("");
        out.println("Lease runner: " + size + ", seed " + seed);
        out.println(figures);
        out.println("acknowledged and never done: " + world.lost());
        out.println();
        return world.lost() == 0;
    }

    /* Returns whether the cap was kept. */
    private boolean scaleCap(CapScale.Size size, long seed) {
        boolean refusing = scaleCap("refusing at once", BackpressurePolicy.reject(), size, seed);
        long wait = size.operation().toMillis();
        return scaleCap("waiting for " + wait + " ms", BackpressurePolicy.queue(size.cap(), wait), size, seed)
                && refusing;
    }

    private boolean scaleCap(String name, BackpressurePolicy policy, CapScale.Size size, long seed) {
        CapScale world = new CapScale(size, policy, seed, this::show);
        Figures figures = world.run();
        show("");
        out.println("Cluster bulkhead, " + name + ": " + size + ", seed " + seed);
        out.println(figures);
        out.println("most in flight at once: " + world.mostInFlight());
        out.println();
        return world.mostInFlight() <= size.cap();
    }

    private String shown = "";

    /* Shows progress: a line that rewrites itself on a terminal; elsewhere a line for each phase. */
    private void show(String state) {
        if (terminal) {
            out.printf("\r%-78s%s", state, state.isEmpty() ? "\r" : "");
            out.flush();
        } else if (!state.isEmpty()) {
            String phase = state.substring(0, state.lastIndexOf(','));
            if (!phase.equals(shown)) {
                out.println(phase);
                shown = phase;
            }
        }
    }
}

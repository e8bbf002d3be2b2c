package io.tidegate.remote;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A program that plays a seeded script and prints every answer and every event, for runs in other JVMs. What differs
 * between JVMs, such as the digits of the locale and the hashes of objects, goes to the error stream.
 */
public final class ReplayScript {
    private static final int STEPS = 3_000;
    private static final String[] NAMES = {
        "a", "İstanbul", "I", "i", "١٢٣", "Aa", "BB", "AaAa", "BBBB", "AaBB", "two\nlines"
    };

    private ReplayScript() {}

    public static void main(String[] args) {
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line : play(Long.parseLong(args[0]))) {
            out.print(line + '\n');
        }
        out.flush();
        System.err.print(String.format("%d", 1).codePointAt(0) + " " + System.identityHashCode(out));
    }

    static List<String> play(long seed) {
        List<String> lines = new ArrayList<>();
        RemoteBulkhead bulkhead = RemoteBulkhead.builder(3)
                .policy(BackpressurePolicy.queue(4, 6))
                .eventCapacity(500)
                .latencyWindow(120)
                .eventSink(event -> lines.add(event.toLine()))
                .build();
        Random random = new Random(seed);
        List<BulkheadPermit> out = new ArrayList<>();
        for (long now = 1_000; now < 1_000 + STEPS; now++) {
            lines.add(step(bulkhead, random, out, now / 3));
        }
        bulkhead.events().forEach(event -> lines.add(event.toLine()));
        lines.add(bulkhead + " " + bulkhead.p99ForegroundLatencyMs() + " " + bulkhead.latencySamples() + " "
                + bulkhead.droppedEvents());
        return lines;
    }

    private static String step(RemoteBulkhead bulkhead, Random random, List<BulkheadPermit> out, long now) {
        String name = NAMES[random.nextInt(NAMES.length)];
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> {
                return keep(bulkhead.acquire(random.nextInt(10) > 0, name, now), out);
            }
            case 4, 5 -> {
                return keep(bulkhead.pollQueued(name, now), out);
            }
            case 6 -> {
                return "cancelled " + bulkhead.cancelQueued(name, now);
            }
            case 7 -> {
                bulkhead.setMaxInFlight(1 + random.nextInt(5), now);
                return "set";
            }
            case 8 -> {
                bulkhead.recordForegroundLatency(random.nextInt(10_000));
                return "recorded";
            }
            default -> {
                if (!out.isEmpty()) {
                    bulkhead.release(out.remove(random.nextInt(out.size())), now);
                }
                return "released";
            }
        }
    }

    private static String keep(AcquireResult result, List<BulkheadPermit> out) {
        if (result instanceof AcquireResult.Granted granted) {
            out.add(granted.permit());
        }
        return result.toString();
    }
}

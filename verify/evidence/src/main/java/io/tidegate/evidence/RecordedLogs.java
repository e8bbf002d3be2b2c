package io.tidegate.evidence;

import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadEventCode;
import io.tidegate.testkit.BulkheadAudit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Records logs of remote bulkheads that play scripts, each script twice, and checks the six invariants on the logs. The
 * audit replays each log. The two logs of a script must be the same byte for byte, and all answers must be the same,
 * too.
 */
final class RecordedLogs {
    private static final String AUDITABLE = "INV-RB-AUDITABLE";
    private static final String DETERMINISTIC = "INV-RB-DETERMINISTIC";
    private static final List<String> INVARIANTS = List.of(
            "INV-RB-CAPPED", "INV-RB-BACKPRESSURE", "INV-RB-SAFE-DRAIN", "INV-RB-GATED", AUDITABLE, DETERMINISTIC);

    private final Path folder;
    private final Script script;
    private final int scripts;
    private final ProgressLine progress;
    private final Map<String, String> broken = new LinkedHashMap<>(); // for each invariant, its first breach
    private final Set<BulkheadEventCode> unseen = EnumSet.allOf(BulkheadEventCode.class);
    private int logs;
    private long events;

    /** A sequence of operations on a bulkhead. */
    interface Script {
        /**
         * Plays the script.
         *
         * @param seed decides what is done
         * @param sink gets every event
         * @return all answers, as text
         */
        List<String> play(long seed, Consumer<? super BulkheadEvent> sink);
    }

    /** Prepares to record logs of so many scripts in the folder. */
    RecordedLogs(Path folder, Script script, int scripts, ProgressLine progress) {
        this.folder = folder;
        this.script = script;
        this.scripts = scripts;
        this.progress = progress;
    }

    /** Returns a check for each invariant. */
    List<Check> check() throws IOException {
        Files.createDirectories(folder);
        long begun = System.nanoTime();
        for (int seed = 0; seed < scripts; seed++) {
            Path first = folder.resolve("script-" + seed + ".log");
            Path second = folder.resolve("script-" + seed + "-again.log");
            List<String> answers = record(seed, first);
            if (!record(seed, second).equals(answers)) {
                broken.putIfAbsent(DETERMINISTIC, "script " + seed + " was answered otherwise when played again");
            }
            if (Files.mismatch(first, second) >= 0) {
                broken.putIfAbsent(DETERMINISTIC, first + " and " + second + " differ");
            }
            audit(first);
            audit(second);
            progress.show(state());
        }
        progress.end(state());
        if (!unseen.isEmpty()) {
            broken.putIfAbsent(AUDITABLE, "no log has " + unseen);
        }
        long millis = (System.nanoTime() - begun) / 1_000_000;
        return INVARIANTS.stream().map(invariant -> check(invariant, millis)).toList();
    }

    private List<String> record(long seed, Path log) throws IOException {
        List<String> lines = new ArrayList<>();
        List<String> answers = script.play(seed, event -> lines.add(event.toLine()));
        Files.write(log, lines);
        return answers;
    }

    private void audit(Path log) throws IOException {
        List<BulkheadEvent> recorded = BulkheadAudit.read(Files.readAllLines(log));
        recorded.forEach(event -> unseen.remove(event.eventCode()));
        logs++;
        events += recorded.size();
        BulkheadAudit.check(recorded, 0)
                .ifPresent(breach -> broken.putIfAbsent(breach.invariant(), log + ": " + breach));
    }

    private Check check(String invariant, long millis) {
        String name = invariant.equals(DETERMINISTIC)
                ? "the same script twice gives the same answers and the same log, byte for byte"
                : "the audit finds no breach in recorded logs with " + events + " events";
        String failure = broken.getOrDefault(invariant, "");
        return new Check(
                "evidence",
                RecordedLogs.class.getName(),
                "check",
                invariant + " " + name,
                List.of(invariant),
                failure.isEmpty() ? Outcome.PASSED : Outcome.FAILED,
                invariant.equals(DETERMINISTIC) ? scripts : logs,
                millis,
                failure);
    }

    private String state() {
        return "auditing: " + logs + " logs, " + events + " events";
    }
}

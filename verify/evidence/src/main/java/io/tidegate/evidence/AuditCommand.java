package io.tidegate.evidence;

import io.tidegate.remote.BulkheadEvent;
import io.tidegate.testkit.BulkheadAudit;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** {@code ./tidegate audit [--cluster] FILE}: replays a log and reports the first promise that it breaks. */
final class AuditCommand {
    private static final String CLUSTER = "--cluster";

    private final Path root;
    private final Path from;
    private final PrintStream out;
    private final PrintStream errors;

    /**
     * Makes an audit.
     *
     * @param root the folder with the rules' pages in it
     * @param from the folder in which the command was typed
     */
    AuditCommand(Path root, Path from, PrintStream out, PrintStream errors) {
        this.root = root;
        this.from = from;
        this.out = out;
        this.errors = errors;
    }

    /** Returns 0 for a log that breaks nothing, 1 for a log that does, and 2 if no log can be read. */
    int run(List<String> words) throws IOException {
        List<String> files =
                words.stream().filter(word -> !word.equals(CLUSTER)).toList();
        if (files.size() != 1 || files.get(0).startsWith("-")) {
            errors.println("usage: ./tidegate audit [--cluster] FILE");
            errors.println(
                    "  FILE       a log of a remote bulkhead, one line an event, as BulkheadEvent.toLine() makes it");
            errors.println("  --cluster  it is the log of a member of a cluster");
            return 2;
        }
        List<BulkheadEvent> events;
        try {
            events = read(from.resolve(files.get(0)));
        } catch (IllegalArgumentException | IOException unreadable) {
            errors.println("tidegate: " + files.get(0) + ": " + why(unreadable));
            return 2;
        }
        return report(files.get(0), events, words.contains(CLUSTER));
    }

    private static List<BulkheadEvent> read(Path file) throws IOException {
        List<BulkheadEvent> events = BulkheadAudit.read(Files.readAllLines(file));
        if (events.isEmpty()) {
            throw new IllegalArgumentException("has no events");
        }
        return events;
    }

    private static String why(Exception unreadable) {
        if (unreadable instanceof NoSuchFileException) {
            return "no such file";
        }
        return unreadable instanceof CharacterCodingException
                ? "is not text in UTF-8"
                : String.valueOf(unreadable.getMessage());
    }

    private int report(String file, List<BulkheadEvent> events, boolean cluster) throws IOException {
        BulkheadAudit.Source source = cluster ? BulkheadAudit.Source.CLUSTER_MEMBER : BulkheadAudit.Source.BULKHEAD;
        BulkheadAudit.Report report = BulkheadAudit.inspect(events, source);
        String size = file + ": " + report.events() + " events";
        if (report.lostBeginning()) {
            size += ", of which the first are missing: checked as far as the rest allows";
        }
        if (report.breach().isEmpty()) {
            out.println(size + "; no promise is broken");
            return 0;
        }
        BulkheadAudit.Breach breach = report.breach().get();
        out.println(size);
        out.println("line " + breach.line() + " breaks " + breach.invariant() + ": " + breach.why());
        out.println();
        out.println("  " + says(breach.invariant()));
        out.println();
        out.print(new Story(events, breach.index()));
        return 1;
    }

    private String says(String invariant) throws IOException {
        return Rule.read(root.resolve(Part.REMOTE.page())).stream()
                .filter(rule -> rule.name().equals(invariant))
                .findFirst()
                .map(Rule::says)
                .orElse(invariant);
    }
}

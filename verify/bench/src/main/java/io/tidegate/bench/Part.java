package io.tidegate.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * What is measured of one part of the library.
 *
 * @param name as typed on the command line
 * @param title as headed on the page
 * @param peers the libraries it is compared with, as named in {@code versions.properties}
 * @param notes what a reader must know of the rows, a line each
 * @param showsProcessorTime whether rows show the time of all processors together, because threads other than the
 *     caller's do the work
 * @param experiments what does not fit into rows
 */
public record Part(
        String name,
        String title,
        List<String> peers,
        List<Row> rows,
        List<String> notes,
        boolean showsProcessorTime,
        List<Experiment> experiments) {
    /** Rows in which the caller does the work. */
    public Part(String name, String title, List<String> peers, List<Row> rows, List<String> notes) {
        this(name, title, peers, rows, notes, false, List.of());
    }

    /** Whether JMH measures something of it; the rest is left to experiments. */
    boolean hasRows() {
        return !rows.isEmpty();
    }

    /** Everything to measure, in an order that keeps apart in time as little as possible what is compared. */
    List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Row row : rows) {
            for (int threads : row.threads()) {
                for (Contestant contestant : row.contestants()) {
                    cases.add(new Case(row, contestant, threads));
                }
            }
        }
        return cases;
    }

    /** All the numbers of threads that any row is done on. */
    List<Integer> threads() {
        return rows.stream()
                .flatMap(row -> row.threads().stream())
                .distinct()
                .sorted()
                .toList();
    }
}

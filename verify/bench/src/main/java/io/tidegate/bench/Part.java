package io.tidegate.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * The measurements of one part of the library.
 *
 * @param name as typed on the command line
 * @param title the heading on the page
 * @param peers the libraries it is compared with, as named in {@code versions.properties}
 * @param notes what a reader must know of the rows, a line each
 * @param showsProcessorTime whether rows show the time of all processors together, because threads other than the
 *     caller's do the work
 * @param experiments the measurements that do not fit into rows
 */
public record Part(
        String name,
        String title,
        List<String> peers,
        List<Row> rows,
        List<String> notes,
        boolean showsProcessorTime,
        List<Experiment> experiments) {
    /** Makes a part with rows in which the caller does the work. */
    public Part(String name, String title, List<String> peers, List<Row> rows, List<String> notes) {
        this(name, title, peers, rows, notes, false, List.of());
    }

    /** Whether JMH measures something of it; all else is left to experiments. */
    boolean hasRows() {
        return !rows.isEmpty();
    }

    /** Returns all cases, in an order in which the cases to compare are close in time. */
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

    /** Returns all numbers of threads that some row uses. */
    List<Integer> threads() {
        return rows.stream()
                .flatMap(row -> row.threads().stream())
                .distinct()
                .sorted()
                .toList();
    }
}

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
 */
public record Part(String name, String title, List<String> peers, List<Row> rows, List<String> notes) {
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

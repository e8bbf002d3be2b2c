package io.tidegate.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * What is measured of one part of the library.
 *
 * @param name as typed on the command line
 * @param title as headed on the page
 * @param peers the libraries it is compared with, as named in {@code versions.properties}
 */
public record Part(String name, String title, List<String> peers, List<Row> rows) {
    static final List<Integer> THREADS = List.of(1, 2);

    /** Everything to measure, in an order that keeps apart in time as little as possible what is compared. */
    List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Row row : rows) {
            for (int threads : THREADS) {
                for (Contestant contestant : row.contestants()) {
                    cases.add(new Case(row, contestant, threads));
                }
            }
        }
        return cases;
    }
}

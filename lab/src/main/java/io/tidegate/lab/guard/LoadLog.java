package io.tidegate.lab.guard;

import io.tidegate.lab.print.Cells;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** How many requests arrived in each cell of a chart. The chart begins with the end of the warm-up. Thread-safe. */
final class LoadLog {
    private final AtomicIntegerArray cells;
    private volatile boolean begun;

    LoadLog(int cells) {
        this.cells = new AtomicIntegerArray(cells);
    }

    void begin() {
        begun = true;
    }

    void count(Duration elapsed) {
        long cell = elapsed.dividedBy(Cells.LENGTH);
        if (begun && cell < cells.length()) {
            cells.incrementAndGet((int) cell);
        }
    }

    int at(int cell) {
        return cells.get(cell);
    }

    int total() {
        return between(Duration.ZERO, Cells.start(cells.length()));
    }

    /** Returns how many arrived from one time on and before another, by whole cells. */
    int between(Duration from, Duration to) {
        int sum = 0;
        for (int cell = Cells.count(from); cell < Math.min(Cells.count(to), cells.length()); cell++) {
            sum += cells.get(cell);
        }
        return sum;
    }

    int highest() {
        int[] all = new int[cells.length()];
        Arrays.setAll(all, cells::get);
        return Arrays.stream(all).max().orElse(0);
    }
}

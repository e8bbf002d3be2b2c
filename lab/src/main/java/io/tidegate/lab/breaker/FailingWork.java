package io.tidegate.lab.breaker;

import io.tidegate.lab.load.Time;
import io.tidegate.lab.load.Work;
import io.tidegate.lab.print.Cells;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;

/** The work of a service that has an outage. Records when requests arrive. */
public final class FailingWork implements Work {
    private final Outage outage;
    private final Time time;
    private final AtomicIntegerArray calls;
    private final LongAdder failed = new LongAdder();
    private volatile boolean begun;
    private volatile long start;

    public FailingWork(Outage outage, Time time) {
        this.outage = outage;
        this.time = time;
        this.calls = new AtomicIntegerArray(BreakerChart.cells(outage));
    }

    @Override
    public void begin() {
        start = time.nanos();
        begun = true;
    }

    /** Returns the time since the warm-up, zero before its end. */
    public Duration elapsed() {
        return begun ? Duration.ofNanos(time.nanos() - start) : Duration.ZERO;
    }

    @Override
    public int answer() throws InterruptedException {
        Duration arrived = elapsed();
        boolean fails = arrived.compareTo(outage.before()) >= 0 && arrived.compareTo(outage.end()) < 0;
        if (begun) {
            calls.incrementAndGet(Cells.at(arrived, calls.length()));
        }
        if (fails) {
            failed.increment();
            time.sleep(outage.error().toNanos());
            return HttpURLConnection.HTTP_INTERNAL_ERROR;
        }
        time.sleep(outage.work().toNanos());
        return HttpURLConnection.HTTP_NO_CONTENT;
    }

    /** Returns how many calls arrived while the service failed. */
    long callsWhileFailing() {
        return failed.sum();
    }

    /** Returns how many calls arrived in each cell of the chart. */
    int[] callsByCell() {
        int[] byCell = new int[calls.length()];
        for (int cell = 0; cell < byCell.length; cell++) {
            byCell[cell] = calls.get(cell);
        }
        return byCell;
    }
}

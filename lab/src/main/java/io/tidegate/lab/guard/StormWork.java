package io.tidegate.lab.guard;

import io.tidegate.lab.breaker.BreakerChart;
import io.tidegate.lab.breaker.FailingWork;
import io.tidegate.lab.load.Time;
import io.tidegate.lab.load.Work;
import java.util.concurrent.Semaphore;

/**
 * The work of a service that has an outage and works on a few requests at once, first come first served. It does not
 * notice that a caller has gone.
 */
final class StormWork implements Work {
    private final Semaphore workers;
    private final FailingWork work;
    private final LoadLog arrived;

    StormWork(Storm storm, Time time) {
        this.workers = new Semaphore(storm.capacity(), true);
        this.work = new FailingWork(storm.outage(), time);
        this.arrived = new LoadLog(BreakerChart.cells(storm.outage()));
    }

    @Override
    public void begin() {
        work.begin();
        arrived.begin();
    }

    @Override
    public int answer() throws InterruptedException {
        arrived.count(work.elapsed());
        workers.acquire();
        try {
            return work.answer();
        } finally {
            workers.release();
        }
    }

    /** Returns which requests have arrived since the warm-up. */
    LoadLog arrived() {
        return arrived;
    }
}

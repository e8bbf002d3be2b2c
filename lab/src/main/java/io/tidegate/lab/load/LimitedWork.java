package io.tidegate.lab.load;

import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Work that can be overloaded: a few requests at once, first come first served. Waiting requests slow it down, as they
 * would by taking memory, sockets and processor time. It does not notice that a caller has gone.
 */
public final class LimitedWork implements Work {
    /** With this many waiting requests the work takes twice as long. */
    public static final int CROWD = 1_000;

    private final Duration length;
    private final Semaphore workers;

    public LimitedWork(int capacity, Duration length) {
        this.length = length;
        this.workers = new Semaphore(capacity, true);
    }

    @Override
    public int answer() throws InterruptedException {
        workers.acquire();
        try {
            Thread.sleep(slowedDown());
            return HttpURLConnection.HTTP_NO_CONTENT;
        } finally {
            workers.release();
        }
    }

    private Duration slowedDown() {
        return length.plus(length.multipliedBy(workers.getQueueLength()).dividedBy(CROWD));
    }
}

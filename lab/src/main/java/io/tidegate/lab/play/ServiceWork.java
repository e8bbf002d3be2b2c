package io.tidegate.lab.play;

import io.tidegate.lab.load.Work;
import java.net.HttpURLConnection;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Work whose capacity, latency and failure rate can be changed while it runs. Waiting requests slow it down. It does
 * not notice that a caller has gone, and fails new requests when very many are inside.
 */
final class ServiceWork implements Work {
    /** With this many waiting requests the work would take twice as long. */
    static final int CROWD = 800;

    /* Few enough that a viewer sees the queue end soon after an overload. */
    static final int MOST_INSIDE = 200;

    /** A semaphore that can shrink. */
    private static final class Places extends Semaphore {
        private static final long serialVersionUID = 1L;

        private int size;

        Places(int size) {
            super(size, true);
            this.size = size;
        }

        synchronized void resize(int wanted) {
            if (wanted > size) {
                release(wanted - size);
            } else {
                reducePermits(size - wanted);
            }
            size = wanted;
        }
    }

    private final Places places = new Places(ShopSlider.CAPACITY.usual());
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong answered = new AtomicLong();
    private volatile int latencyMillis = ShopSlider.LATENCY.usual();
    private volatile int failPercent;

    void capacity(int requests) {
        places.resize(requests);
    }

    void latency(int millis) {
        latencyMillis = millis;
    }

    void failures(int percent) {
        failPercent = percent;
    }

    /** Returns how many requests wait for a place. */
    int waiting() {
        return places.getQueueLength();
    }

    /** Returns how many places are free. */
    int free() {
        return places.availablePermits();
    }

    @Override
    public int answer() throws InterruptedException {
        try {
            if (inside.incrementAndGet() > MOST_INSIDE) {
                return HttpURLConnection.HTTP_UNAVAILABLE;
            }
            places.acquire();
            try {
                long nanos = TimeUnit.MILLISECONDS.toNanos(latencyMillis);
                TimeUnit.NANOSECONDS.sleep(nanos + nanos * waiting() / CROWD);
            } finally {
                places.release();
            }
            return fails(answered.incrementAndGet())
                    ? HttpURLConnection.HTTP_INTERNAL_ERROR
                    : HttpURLConnection.HTTP_NO_CONTENT;
        } finally {
            inside.decrementAndGet();
        }
    }

    /* Whether this request fails. Failures are spread evenly, so that few answers are enough to see the rate. */
    private boolean fails(long number) {
        long percent = failPercent;
        return number * percent / 100 != (number - 1) * percent / 100;
    }
}

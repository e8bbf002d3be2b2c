package io.tidegate.bench.engines;

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/** How many workers there are, and on how many domains. */
record Load(int workers, int domains) {
    private static final AtomicLong STARTS = new AtomicLong();

    /**
     * Returns the domains of one worker in turn, again and again; if there are many domains, random ones. If there are
     * enough domains, no other worker has the same ones.
     */
    IntSupplier domainsOf(int worker) {
        if (domains > Throughput.DOMAINS) {
            Random random = new Random(STARTS.incrementAndGet());
            return () -> worker + workers * random.nextInt(domains / workers);
        }
        int first = worker % domains;
        return new IntSupplier() {
            private int next = first;

            @Override
            public int getAsInt() {
                int domain = next;
                next = domain + workers < domains ? domain + workers : first;
                return domain;
            }
        };
    }
}

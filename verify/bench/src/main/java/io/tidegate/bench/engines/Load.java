package io.tidegate.bench.engines;

import java.util.function.IntSupplier;

/** How many work at once, and on how many domains. */
record Load(int workers, int domains) {
    /** The domains of one worker in turn, again and again. They are no other's if there are enough. */
    IntSupplier domainsOf(int worker) {
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

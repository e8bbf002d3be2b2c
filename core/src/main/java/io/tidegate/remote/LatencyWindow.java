package io.tidegate.remote;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The latest latencies, up to a number, with their exact 99th percentile at hand. Not thread-safe. */
final class LatencyWindow {
    /*
     * Samples are in a ring of slots. Each slot is in one of two heaps: `upper` has the floor(n / 100) + 1 greatest,
     * with the least of them on top; `lower` has the others, with the greatest on top. By nearest rank the 99th
     * percentile of n samples is the ceil(99 n / 100)th from below, which is the (floor(n / 100) + 1)th from above: the
     * top of `upper`.
     *
     * A new sample takes the slot of the oldest one, and its place in its heap. From there it moves to its place in
     * that heap. If it belongs to the other heap, it is on top now, and the tops are exchanged. All of this costs the
     * logarithm of n, and nothing if the latency is the same as that of the oldest sample.
     */
    private static final int FIRST_SLOTS = 1024;

    private final int capacity;
    private long[] latencies;
    private int[] loads;
    private int size;
    private int next;
    private final SlotHeap upper = new SlotHeap(1);
    private final SlotHeap lower = new SlotHeap(-1);
    private int[] places; // the place of each slot in its heap

    LatencyWindow(int capacity) {
        this.capacity = capacity;
        int slots = Math.min(capacity, FIRST_SLOTS);
        this.latencies = new long[slots];
        this.loads = new int[slots];
        this.places = new int[slots];
        this.upper.slots = new int[slots];
        this.lower.slots = new int[slots];
    }

    void record(long latencyMs, int load) {
        int slot = next;
        next = slot + 1 == capacity ? 0 : slot + 1;
        if (size == capacity) {
            replace(slot, latencyMs);
        } else {
            add(slot, latencyMs);
        }
        loads[slot] = load;
    }

    private void add(int slot, long latencyMs) {
        makeRoom();
        size++;
        latencies[slot] = latencyMs;
        boolean high = upper.size > 0 && latencyMs >= latencies[upper.slots[0]];
        (high ? upper : lower).add(slot);
        balance();
    }

    private void replace(int slot, long latencyMs) {
        if (latencies[slot] == latencyMs) {
            return;
        }
        latencies[slot] = latencyMs;
        (upper.has(slot) ? upper : lower).move(slot);
        if (lower.size > 0 && latencies[lower.slots[0]] > latencies[upper.slots[0]]) {
            int high = lower.slots[0];
            lower.sink(0, upper.slots[0]);
            upper.sink(0, high);
        }
    }

    private void balance() {
        int above = size / 100 + 1;
        while (upper.size < above) {
            upper.add(lower.removeTop());
        }
        while (upper.size > above) {
            lower.add(upper.removeTop());
        }
    }

    private void makeRoom() {
        if (size == latencies.length) {
            int slots = (int) Math.min(capacity, 2L * size);
            upper.slots = Arrays.copyOf(upper.slots, slots);
            lower.slots = Arrays.copyOf(lower.slots, slots);
            places = Arrays.copyOf(places, slots);
            loads = Arrays.copyOf(loads, slots);
            latencies = Arrays.copyOf(latencies, slots); // last: its length says how much room there is
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Must not be called while the window is empty. */
    long p99() {
        return latencies[upper.slots[0]];
    }

    List<ForegroundLatencySample> samples() {
        List<ForegroundLatencySample> samples = new ArrayList<>(size);
        int oldest = size == capacity ? next : 0;
        for (int i = 0; i < size; i++) {
            int slot = (int) ((oldest + (long) i) % capacity);
            samples.add(new ForegroundLatencySample(loads[slot], latencies[slot]));
        }
        return Collections.unmodifiableList(samples);
    }

    /** A heap of slots: on top is the one with the least latency, or with the greatest one if {@code sign} is -1. */
    private final class SlotHeap {
        private final int sign;
        private int[] slots = {};
        private int size;

        SlotHeap(int sign) {
            this.sign = sign;
        }

        boolean has(int slot) {
            int place = places[slot];
            return place < size && slots[place] == slot;
        }

        void add(int slot) {
            rise(size++, slot);
        }

        int removeTop() {
            int top = slots[0];
            int last = slots[--size];
            if (size > 0) {
                sink(0, last);
            }
            return top;
        }

        /** Moves a slot whose latency has changed to where it belongs. */
        void move(int slot) {
            sink(places[slot], slot);
            rise(places[slot], slot);
        }

        private boolean before(int slot, int other) {
            return sign * Long.compare(latencies[slot], latencies[other]) < 0;
        }

        private void put(int place, int slot) {
            slots[place] = slot;
            places[slot] = place;
        }

        private void rise(int from, int slot) {
            int place = from;
            while (place > 0 && before(slot, slots[(place - 1) / 2])) {
                put(place, slots[(place - 1) / 2]);
                place = (place - 1) / 2;
            }
            put(place, slot);
        }

        private void sink(int from, int slot) {
            int place = from;
            for (int child = 2 * place + 1; child < size; child = 2 * place + 1) {
                if (child + 1 < size && before(slots[child + 1], slots[child])) {
                    child++;
                }
                if (!before(slots[child], slot)) {
                    break;
                }
                put(place, slots[child]);
                place = child;
            }
            put(place, slot);
        }
    }
}

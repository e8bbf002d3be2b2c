package io.tidegate.relay;

import io.tidegate.cluster.CapStore;
import java.time.Duration;

/**
 * Makes claims for tests, with each number by its name. By default it is the first claim of a member without a slice.
 */
public final class ClaimBuilder {
    private final String bulkhead;
    private final String owner;
    private long number = 1;
    private int firstCap = 10;
    private int slice;
    private int inUse;
    private int need;
    private long leaseMillis = Duration.ofMinutes(1).toMillis();

    private ClaimBuilder(String bulkhead, String owner) {
        this.bulkhead = bulkhead;
        this.owner = owner;
    }

    public static ClaimBuilder of(String bulkhead, String owner) {
        return new ClaimBuilder(bulkhead, owner);
    }

    public ClaimBuilder number(long claim) {
        number = claim;
        return this;
    }

    public ClaimBuilder firstCap(int permits) {
        firstCap = permits;
        return this;
    }

    public ClaimBuilder slice(int permits) {
        slice = permits;
        return this;
    }

    public ClaimBuilder inUse(int permits) {
        inUse = permits;
        return this;
    }

    public ClaimBuilder need(int permits) {
        need = permits;
        return this;
    }

    public ClaimBuilder leaseMillis(long millis) {
        leaseMillis = millis;
        return this;
    }

    public CapStore.Claim made() {
        return new CapStore.Claim(bulkhead, owner, number, firstCap, slice, inUse, need, false, leaseMillis);
    }
}

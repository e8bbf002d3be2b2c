package io.tidegate.jdbc;

/** An offset that is asked for together with others. */
public record Offer(String domainId, long offset) {
    public Offer {
        Names.requireDomain(domainId);
    }
}

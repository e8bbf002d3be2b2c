package io.tidegate.redis;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

final class RedisLeaseBuilder implements RedisWorkLease.Builder {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    /* Limits durations so that their sum with the server's clock stays exact in Lua. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final ScriptCalls calls;
    private final String name;
    private final int maxRetries;
    private int maxBacklog = Integer.MAX_VALUE;
    private @Nullable String owner;
    private Duration duration = Duration.ofSeconds(RedisWorkLease.DEFAULT_LEASE_SECONDS);
    private String prefix = RedisWorkLease.DEFAULT_PREFIX;

    RedisLeaseBuilder(ScriptCalls calls, String name, int maxRetries) {
        check(maxRetries >= 0, "maxRetries", maxRetries, ">= 0");
        this.calls = calls;
        this.name = requireName(name);
        this.maxRetries = maxRetries;
    }

    @Override
    public RedisWorkLease.Builder owner(String owner) {
        boolean printable = requireNonNull(owner, "owner").matches("[!-~]+");
        check(printable, "owner", owner, "printable ASCII without spaces, not empty");
        this.owner = owner;
        return this;
    }

    @Override
    public RedisWorkLease.Builder leaseDuration(Duration duration) {
        requireNonNull(duration, "duration");
        boolean fits = duration.compareTo(SHORTEST) >= 0 && duration.compareTo(LONGEST) <= 0;
        check(fits, "duration", duration, ">= " + SHORTEST + ", <= " + LONGEST);
        this.duration = duration;
        return this;
    }

    @Override
    public RedisWorkLease.Builder maxBacklog(int offsets) {
        check(offsets >= 1, "offsets", offsets, ">= 1");
        this.maxBacklog = offsets;
        return this;
    }

    /** Braces are refused, because a cluster would take the text between them for the slot. */
    @Override
    public RedisWorkLease.Builder prefix(String prefix) {
        this.prefix = requirePrefix(prefix);
        return this;
    }

    static String requirePrefix(String prefix) {
        boolean printable = requireNonNull(prefix, "prefix").matches("[!-z|~]+");
        check(printable, "prefix", prefix, "printable ASCII without spaces and braces, not empty");
        return prefix;
    }

    static String requireName(String name) {
        check(!requireNonNull(name, "name").isBlank(), "name", '"' + name + '"', "not blank");
        return name;
    }

    @Override
    public RedisWorkLease build() {
        String whose = owner == null ? ProcessHandle.current().pid() + "-" + UUID.randomUUID() : owner;
        return new RedisLease(calls, prefix, name, whose, duration, maxRetries, maxBacklog);
    }

    private static void check(boolean holds, String name, Object value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
        }
    }
}

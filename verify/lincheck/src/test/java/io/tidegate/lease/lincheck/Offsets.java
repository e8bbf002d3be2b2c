package io.tidegate.lease.lincheck;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.WorkLease;
import io.tidegate.lease.broken.LeaseFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.function.Supplier;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * Three offsets of one domain. The first one may be leased from the start. A token is made from its offset, so every
 * thread knows it.
 */
@Param(name = "offset", gen = IntGen.class, conf = "0:2")
public class Offsets {
    private static final String DOMAIN = "domain";

    private final WorkLease lease;

    public Offsets() {
        this(Setting.factory);
    }

    Offsets(LeaseFactory factory) {
        lease = factory.create(
                0, Clock.fixed(Instant.EPOCH, ZoneOffset.UTC), (domainId, offset, fence) -> "token " + offset);
        if (Setting.startsLeased) {
            lease.tryAcquire(DOMAIN, 0);
        }
    }

    @Operation
    public String tryAcquire(@Param(name = "offset") int offset) {
        return answer(() -> {
            AcquireResult result = lease.tryAcquire(DOMAIN, offset);
            return result instanceof AcquireResult.AlreadyAcquired already ? already.token() : result.code();
        });
    }

    @Operation
    public String succeed(@Param(name = "offset") int offset) {
        return answer(() -> lease.succeed(DOMAIN, "token " + offset).toString());
    }

    @Operation
    public String fail(@Param(name = "offset") int offset) {
        return answer(() -> lease.fail(DOMAIN, "token " + offset).toString());
    }

    @Operation
    public boolean replay(@Param(name = "offset") int offset) {
        return lease.replay(DOMAIN, offset);
    }

    @Operation
    public void forget(@Param(name = "offset") int upToOffset) {
        lease.forget(DOMAIN, upToOffset);
    }

    @Operation
    public void deleteIdle() {
        lease.deleteIdle(Duration.ZERO);
    }

    @Operation
    public String inspect() {
        return lease.inspect(DOMAIN)
                .map(seen -> seen.lease().map(record -> record.token()) + " " + seen.backlog() + " "
                        + seen.processedCount() + " " + seen.failedCount())
                .orElse("unknown");
    }

    private static String answer(Supplier<String> operation) {
        try {
            return operation.get();
        } catch (BacklogOrderingException refused) {
            return "expected " + refused.expected();
        } catch (LeaseNotFoundException refused) {
            return "no lease";
        } catch (TokenMismatchException refused) {
            return "another token";
        } catch (IllegalStateException refused) {
            return "the previous token";
        }
    }
}

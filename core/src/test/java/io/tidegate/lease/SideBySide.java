package io.tidegate.lease;

import io.tidegate.lease.broken.LeaseFactory;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives the same operations to leases and to the reference, and compares each answer, and the domain afterwards. Fences
 * need not be equal; they must rise.
 */
final class SideBySide {
    /** What the clock or the token source does at the next acquisition. */
    enum Source {
        WORKS,
        CLOCK_THROWS,
        TOKENS_THROW,
        TOKEN_IS_NULL,
        TOKEN_IS_EMPTY,
        TOKEN_IS_THE_PREVIOUS
    }

    private final Side subject;
    private final Side reference;
    private Source source = Source.WORKS;
    private long now;
    private boolean looks = true;

    SideBySide(LeaseFactory factory, int maxRetries) {
        subject = new Side(factory, maxRetries);
        reference = new Side(ReferenceLease::new, maxRetries);
    }

    void setSource(Source next) {
        source = next;
    }

    void setNow(long millis) {
        now = millis;
    }

    /** Whether the domain is compared after each operation, and not only the answer. */
    void setLooks(boolean now) {
        looks = now;
    }

    /** Returns how many tokens the domain has had. */
    int acquisitions(String domainId) {
        return reference.given(domainId).size();
    }

    Optional<DomainSnapshot> expected(String domainId) {
        return reference.lease.inspect(domainId);
    }

    void tryAcquire(String domainId, long offset) {
        play(domainId, side -> side.tryAcquire(domainId, offset));
    }

    /**
     * Finishes with the token of the domain's acquisition of this number, from 0 on; with a made-up token for -1, and
     * with none for -2.
     */
    void succeed(String domainId, int acquisition) {
        play(domainId, side -> side.lease.succeed(domainId, side.token(domainId, acquisition)));
    }

    void fail(String domainId, int acquisition) {
        play(domainId, side -> side.lease.fail(domainId, side.token(domainId, acquisition)));
    }

    void forget(String domainId, long upToOffset) {
        play(domainId, side -> {
            side.lease.forget(domainId, upToOffset);
            return "forgotten";
        });
    }

    void replay(String domainId, long offset) {
        play(domainId, side -> side.lease.replay(domainId, offset));
    }

    private void play(String domainId, Function<Side, Object> operation) {
        check("answer", answer(subject, operation), answer(reference, operation));
        if (looks) {
            check("afterwards", subject.snapshot(domainId), reference.snapshot(domainId));
        }
    }

    private static Object answer(Side side, Function<Side, Object> operation) {
        try {
            return operation.apply(side);
        } catch (BacklogOrderingException thrown) {
            return List.of(thrown.getClass(), thrown.domainId(), thrown.expected(), thrown.got());
        } catch (TokenMismatchException | LeaseNotFoundException | OutOfOrder thrown) {
            return thrown.getClass();
        } catch (IllegalStateException | IllegalArgumentException | NullPointerException thrown) {
            return "a token is refused";
        }
    }

    private static void check(String what, Object actual, Object expected) {
        if (!actual.equals(expected)) {
            throw new AssertionError(what + ": " + actual + " (expected: " + expected + ")");
        }
    }

    /** The exception of a broken clock or token source. */
    private static final class OutOfOrder extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final class Side {
        final WorkLease lease;
        private final Map<String, List<String>> given = new HashMap<>();
        private final Map<String, Long> fences = new HashMap<>();

        Side(LeaseFactory factory, int maxRetries) {
            lease = factory.create(maxRetries, new SourceClock(), this::next);
        }

        private @Nullable String next(String domainId, long offset, long fence) {
            List<String> before = given(domainId);
            return switch (source) {
                case TOKENS_THROW -> throw new OutOfOrder();
                case TOKEN_IS_NULL -> null;
                case TOKEN_IS_EMPTY -> "";
                case TOKEN_IS_THE_PREVIOUS -> before.isEmpty() ? null : before.get(before.size() - 1);
                default -> "token " + before.size();
            };
        }

        private List<String> given(String domainId) {
            return given.computeIfAbsent(domainId, name -> new ArrayList<>());
        }

        @Nullable
        String token(String domainId, int acquisition) {
            return acquisition >= 0 ? given(domainId).get(acquisition) : acquisition == -1 ? "made up" : null;
        }

        Object tryAcquire(String domainId, long offset) {
            AcquireResult answer = lease.tryAcquire(domainId, offset);
            if (answer instanceof AcquireResult.Acquired acquired) {
                given(domainId).add(acquired.token());
                Long before = fences.put(domainId, acquired.fence());
                if (before != null && before >= acquired.fence()) {
                    throw new AssertionError("fence: " + acquired.fence() + " (expected: > " + before + ")");
                }
                return new AcquireResult.Acquired(acquired.token(), 0);
            }
            if (answer instanceof AcquireResult.AlreadyAcquired already) {
                return new AcquireResult.AlreadyAcquired(already.token(), sinceLast(domainId, already.fence()));
            }
            return answer;
        }

        /** Returns a fence relative to that of the domain's last acquisition, which is 0. */
        private long sinceLast(String domainId, long fence) {
            return fence - fences.getOrDefault(domainId, 0L);
        }

        Optional<DomainSnapshot> snapshot(String domainId) {
            return lease.inspect(domainId)
                    .map(seen -> new DomainSnapshot(
                            seen.domainId(),
                            seen.lease().map(record -> withoutFence(domainId, record)),
                            seen.backlog(),
                            seen.processedCount(),
                            seen.failedCount()));
        }

        private LeaseRecord withoutFence(String domainId, LeaseRecord record) {
            return new LeaseRecord(
                    record.currentOffset(),
                    record.token(),
                    sinceLast(domainId, record.fence()),
                    record.acquiredAtMillis(),
                    record.retryCount());
        }
    }

    private final class SourceClock extends Clock {
        @Override
        public long millis() {
            if (source == Source.CLOCK_THROWS) {
                throw new OutOfOrder();
            }
            return now;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis());
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}

package io.tidegate.evidence;

import io.tidegate.remote.AcquireResult;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadPermit;
import io.tidegate.remote.RemoteBulkhead;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** A bulkhead's random life: every operation, and now and then an invalid one. */
final class RandomLife implements RecordedLogs.Script {
    private static final int STEPS = 3_000;
    private static final String[] NAMES = {"a", "b", "c", "d e", "İstanbul", "١٢٣", "two\nlines", "back\\slash", "="};

    @Override
    public List<String> play(long seed, Consumer<? super BulkheadEvent> sink) {
        return new Life(seed, sink).live();
    }

    private static final class Life {
        private final Random random;
        private final RemoteBulkhead bulkhead;
        private final List<BulkheadPermit> out = new ArrayList<>();
        private long now;

        Life(long seed, Consumer<? super BulkheadEvent> sink) {
            random = new Random(seed);
            bulkhead = RemoteBulkhead.builder(3)
                    .policy(seed % 2 == 0 ? BackpressurePolicy.queue(4, 6) : BackpressurePolicy.reject())
                    .latencyWindow(100)
                    .eventSink(sink)
                    .build();
        }

        List<String> live() {
            List<String> answers = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                now += random.nextInt(2);
                answers.add(step());
            }
            return answers;
        }

        private String step() {
            String name = NAMES[random.nextInt(NAMES.length)];
            return switch (random.nextInt(12)) {
                case 0, 1, 2, 3 -> answer(bulkhead.acquire(random.nextInt(10) > 0, name, now));
                case 4, 5 -> answer(bulkhead.pollQueued(name, now));
                case 6 -> "cancelled " + bulkhead.cancelQueued(name, now);
                case 7 -> changeCap();
                case 8 -> recordLatency();
                default -> release();
            };
        }

        private String answer(AcquireResult result) {
            if (result instanceof AcquireResult.Granted granted) {
                BulkheadPermit permit = granted.permit();
                out.add(permit);
                return "permit " + permit.permitId() + " at " + permit.issuedAtMs() + " under " + permit.capSnapshot();
            }
            return result.toString();
        }

        private String changeCap() {
            if (random.nextInt(5) == 0) {
                bulkhead.setMaxInFlight(1 + random.nextInt(5), now);
            }
            return "cap " + bulkhead.maxInFlight() + " draining " + bulkhead.drainingTarget();
        }

        private String recordLatency() {
            bulkhead.recordForegroundLatency(random.nextInt(10_000), now);
            return "p99 " + bulkhead.p99ForegroundLatencyMs() + " within " + bulkhead.latencyWithinTarget();
        }

        private String release() {
            if (!out.isEmpty()) {
                bulkhead.release(out.remove(random.nextInt(out.size())), now);
            }
            return "in flight " + bulkhead.inFlight() + " waiting " + bulkhead.queueDepth();
        }
    }
}

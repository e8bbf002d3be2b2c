package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadEventCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Takes true logs, changes one thing, and demands that the audit catches each change. Some changes give another log
 * that is true: {@link LogWitness} finds those, because a real bulkhead can write them.
 */
class ForgedLogTest {
    private static final int SCRIPTS = Integer.getInteger("tidegate.forgedScripts", 100);
    private static final int FORGERIES = 60;
    private static final List<BulkheadEventCode> CODES = List.of(BulkheadEventCode.values());
    private static final List<Change> CHANGES = List.of(Change.values());
    private static final String[] REASONS = {
        "RB_ERR_NO_REMOTECAP",
        "RB_ERR_AT_CAPACITY",
        "RB_ERR_QUEUE_SATURATED",
        "RB_ERR_DRAINING",
        "RB_ERR_QUEUE_TIMEOUT",
        "CANCELLED",
        "RB_ERR_NO_LEASE"
    };

    private enum Change {
        DROP,
        DUPLICATE,
        SWAP,
        MOVE,
        CUT,
        CODE,
        TIME,
        IN_FLIGHT,
        CAP,
        NUMBER,
        REASON,
        REQUEST;

        /** Returns the log with one thing changed, or null if this change cannot be made there. */
        @Nullable
        List<BulkheadEvent> of(List<BulkheadEvent> log, Random random) {
            List<BulkheadEvent> forged = new ArrayList<>(log);
            int at = random.nextInt(log.size());
            BulkheadEvent event = log.get(at);
            switch (this) {
                case DROP -> forged.remove(at);
                case DUPLICATE -> forged.add(at, event);
                case SWAP -> Collections.swap(forged, at, Math.max(0, at - 1));
                case MOVE -> forged.add(random.nextInt(log.size()), forged.remove(at));
                case CUT -> forged.subList(1 + at, log.size()).clear();
                default -> {
                    BulkheadEvent other = of(event, random);
                    if (other == null) {
                        return null;
                    }
                    forged.set(at, other);
                }
            }
            return forged.equals(log) || forged.isEmpty() ? null : forged;
        }

        private @Nullable BulkheadEvent of(BulkheadEvent event, Random random) {
            BulkheadEventCode code = event.eventCode();
            long nowMs = event.nowMs();
            int inFlight = event.inFlight();
            int cap = event.maxInFlight();
            String detail = event.detail();
            int little = random.nextBoolean() ? 1 : -1;
            switch (this) {
                case CODE -> code = CODES.get(random.nextInt(CODES.size()));
                case TIME -> nowMs += little * (1L + random.nextInt(random.nextBoolean() ? 3 : 40));
                case IN_FLIGHT -> inFlight += little;
                case CAP -> cap += little;
                case NUMBER -> detail = withNumber(detail, little);
                case REASON -> detail = with(detail, "reason", REASONS[random.nextInt(REASONS.length)]);
                case REQUEST -> detail = with(detail, "request", "r" + random.nextInt(6));
                default -> throw new AssertionError(this);
            }
            return nowMs < 0 ? null : new BulkheadEvent(code, nowMs, inFlight, cap, detail);
        }

        private static String with(String detail, String key, String value) {
            Map<String, String> pairs = EventDetail.of(detail).pairs();
            if (pairs.containsKey(key)) {
                pairs.put(key, value);
            }
            return text(pairs);
        }

        private static String withNumber(String detail, int little) {
            Map<String, String> pairs = EventDetail.of(detail).pairs();
            String key = pairs.keySet().iterator().next();
            if (!key.equals("request") && !key.equals("reason")) {
                pairs.put(key, Long.toString(Long.parseLong(pairs.get(key)) + little));
            }
            return text(pairs);
        }

        private static String text(Map<String, String> pairs) {
            List<String> texts = new ArrayList<>();
            pairs.forEach((key, value) -> texts.add(key + "=" + value));
            return String.join(" ", texts);
        }
    }

    private static final class Tally {
        private int made;
        private int caught;
        private int alsoTrue;

        @Override
        public String toString() {
            return made + " made, " + caught + " caught, " + alsoTrue + " true as well";
        }
    }

    @Test
    @DisplayName(
            "INV-RB-AUDITABLE one change in a true log is caught, unless a bulkhead could have written that log, too")
    void check_oneThingChanged_isCaught() {
        Map<Change, Tally> tallies = new EnumMap<>(Change.class);
        for (int seed = 0; seed < SCRIPTS; seed++) {
            List<BulkheadEvent> log =
                    BulkheadScript.afterRandom(seed, 1 << 16, 20 + seed % 100).events();
            if (log.isEmpty()) {
                continue;
            }
            assertThat(LogWitness.isByHand(log)).as("seed " + seed + " is true").isTrue();
            Random random = new Random(seed);
            for (int i = 0; i < FORGERIES; i++) {
                Change change = CHANGES.get(random.nextInt(CHANGES.size()));
                List<BulkheadEvent> forged = change.of(log, random);
                if (forged != null) {
                    judge(
                            forged,
                            tallies.computeIfAbsent(change, any -> new Tally()),
                            "seed " + seed + " " + change,
                            log);
                }
            }
        }
        System.out.println("forged logs: " + tallies);
        assertThat(tallies.values()).allMatch(tally -> tally.caught > 0);
    }

    private static void judge(List<BulkheadEvent> forged, Tally tally, String what, List<BulkheadEvent> log) {
        tally.made++;
        Optional<BulkheadAudit.Breach> breach = BulkheadAudit.check(forged, 0);
        boolean alsoTrue = LogWitness.isByHand(forged) || (breach.isEmpty() && LogWitness.isWithClient(forged));
        tally.caught += breach.isPresent() ? 1 : 0;
        tally.alsoTrue += alsoTrue ? 1 : 0;
        if (breach.isPresent() == alsoTrue) {
            throw new AssertionError(
                    what + (alsoTrue ? ": true, and yet " + breach.get() : ": accepted") + "\n" + story(log, forged));
        }
    }

    /** Returns the events up to the change, from the first event of any request in it. */
    private static String story(List<BulkheadEvent> log, List<BulkheadEvent> forged) {
        int at = 0;
        while (at < Math.min(log.size(), forged.size()) && log.get(at).equals(forged.get(at))) {
            at++;
        }
        StringBuilder story = new StringBuilder();
        for (int i = 0; i < Math.min(forged.size(), at + 8); i++) {
            story.append(i == at ? "> " : "  ").append(forged.get(i).toLine()).append('\n');
        }
        return story + "instead of\n> " + (at < log.size() ? log.get(at).toLine() : "nothing");
    }
}

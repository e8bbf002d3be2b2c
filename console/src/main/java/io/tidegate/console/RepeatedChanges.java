package io.tidegate.console;

import io.tidegate.console.PartReading.Series;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Changes of a part that repeat, such as refusals under overload. A repeated change is reported at once and then, while
 * it goes on, every few seconds, so that it does not push rare events out of the log.
 */
final class RepeatedChanges {
    /** The time between two reports of a series. */
    static final long PAUSE_MILLIS = 10_000;

    private final Map<Series, Repeat> bySeries = new LinkedHashMap<>();

    /** A count has risen. */
    void rose(Series series, long times) {
        of(series).times += times;
    }

    /** A value has changed. */
    void moved(Series series, Object from, Object to) {
        Repeat repeat = of(series);
        repeat.from = repeat.from == null ? from : repeat.from;
        repeat.to = to;
    }

    private Repeat of(Series series) {
        return bySeries.computeIfAbsent(series, any -> new Repeat());
    }

    /** Reports the changes that are due, and forgets those that have stopped. */
    void report(long now, BiConsumer<Series, String> reports) {
        for (Iterator<Map.Entry<Series, Repeat>> all = bySeries.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<Series, Repeat> next = all.next();
            Repeat repeat = next.getValue();
            long since = Math.abs(now - repeat.reportedAt); // a clock may be set back
            if (repeat.isReported && since < PAUSE_MILLIS) {
                continue;
            }
            String text = repeat.text(since);
            if (text == null) {
                all.remove();
            } else {
                reports.accept(next.getKey(), text);
                repeat.begin(now);
            }
        }
    }

    void clear() {
        bySeries.clear();
    }

    private static final class Repeat {
        private boolean isReported;
        private long reportedAt;
        private long times;
        private @Nullable Object from;
        private @Nullable Object to;

        private void begin(long now) {
            isReported = true;
            reportedAt = now;
            times = 0;
            from = null;
            to = null;
        }

        private @Nullable String text(long sinceMillis) {
            if (times > 0) {
                String often = times == 1 ? "once" : times + " times";
                return isReported ? often + " in " + sinceMillis / 1_000 + " s" : often;
            }
            return from == null || to == null || from.equals(to) ? null : Event.moved(from, to);
        }
    }
}

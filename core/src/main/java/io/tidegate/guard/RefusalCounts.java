package io.tidegate.guard;

import io.tidegate.Reading;
import io.tidegate.Refusal;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts refused calls by code. */
final class RefusalCounts {
    /* A user's own refusals may have a code for each call. The library has fewer codes than this. */
    private static final int MOST = 64;
    private static final String OTHERS = "other";

    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    /** Throws nothing: a refusal that cannot be counted is not counted. */
    void count(Refusal refusal) {
        try {
            String code = code(refusal);
            LongAdder count = counts.get(code);
            if (count == null) {
                String counted = counts.size() < MOST ? code : OTHERS;
                count = counts.computeIfAbsent(counted, first -> new LongAdder());
            }
            count.increment();
        } catch (Throwable outOfMemory) {
            // the caller must get its result
        }
    }

    private static String code(Refusal refusal) {
        try {
            @Nullable String code = refusal.code();
            return code == null ? OTHERS : code;
        } catch (Throwable broken) {
            return OTHERS;
        }
    }

    void read(Reading to) {
        new TreeMap<>(counts).forEach((code, count) -> to.count("refused", count.sum(), "code", code));
    }
}

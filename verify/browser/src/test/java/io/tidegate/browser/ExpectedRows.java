package io.tidegate.browser;

import io.tidegate.Part;
import io.tidegate.Reading;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The expected rows of a part on the page, computed independently from the part's own reading. */
final class ExpectedRows {
    private static final Set<String> SECONDS = Set.of("held.oldest", "latency.p99", "lease.left");
    private static final Set<String> RATIOS = Set.of("failure.rate", "slow.rate");

    private ExpectedRows() {}

    /** Returns the rows of its table of measures: value, p50, p99 and maximum. */
    static Map<String, List<String>> rows(Part part) {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        part.read(new Reading() {
            private void row(String measure, String value, String... tags) {
                rows.put(key(measure, tags), List.of(value, "", "", ""));
            }

            @Override
            public void gauge(String measure, double value, String... tags) {
                row(measure, ExpectedRows.gauge(measure, value), tags);
            }

            @Override
            public void count(String measure, long total, String... tags) {
                row(measure, number((double) total), tags);
            }

            @Override
            public void time(String measure, long count, long total, long p50, long p99, long max, String... tags) {
                rows.put(
                        key(measure, tags),
                        count == 0
                                ? List.of("0", "", "", "")
                                : List.of(number((double) count), nanos(p50), nanos(p99), nanos(max)));
            }

            @Override
            public void state(String measure, String value) {
                row(measure, value);
            }
        });
        return rows;
    }

    private static String key(String measure, String... tags) {
        StringBuilder key = new StringBuilder(measure);
        for (int i = 0; i < tags.length; i += 2) {
            key.append(i == 0 ? '{' : ',').append(tags[i]).append('=').append(tags[i + 1]);
        }
        return tags.length == 0 ? key.toString() : key.append('}').toString();
    }

    private static String gauge(String measure, double value) {
        if (SECONDS.contains(measure)) {
            return seconds(value);
        }
        if (RATIOS.contains(measure)) {
            return new BigDecimal(value * 100).setScale(1, RoundingMode.HALF_UP) + " %";
        }
        if (measure.equals("draining")) {
            return value == 0 ? "no" : "yes";
        }
        return number(value);
    }

    static String number(double value) {
        DecimalFormat format = new DecimalFormat("#,##0.###", DecimalFormatSymbols.getInstance(Locale.US));
        return format.format(new BigDecimal(value).setScale(3, RoundingMode.HALF_UP));
    }

    private static String nanos(long nanos) {
        if (nanos >= 59_950_000_000L) {
            return seconds(nanos / 1e9);
        }
        return nanos >= 1_000_000_000
                ? digits(nanos / 1e9) + " s"
                : nanos >= 1_000_000
                        ? digits(nanos / 1e6) + " ms"
                        : nanos >= 1_000 ? digits(nanos / 1e3) + " µs" : nanos + " ns";
    }

    private static String seconds(double seconds) {
        if (seconds < 59.95) {
            return digits(seconds) + " s";
        }
        long whole = Math.round(seconds);
        if (whole >= 3600) {
            throw new UnsupportedOperationException("no test runs for hours");
        }
        return whole / 60 + " min" + (whole % 60 == 0 ? "" : " " + whole % 60 + " s");
    }

    private static String digits(double value) {
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(3, RoundingMode.HALF_UP));
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}

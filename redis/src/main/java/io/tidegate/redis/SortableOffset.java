package io.tidegate.redis;

/** Offsets as texts of equal length, which sort like the numbers; only digits, which every server sorts alike. */
final class SortableOffset {
    private static final int DIGITS = 20;

    private SortableOffset() {}

    static String of(long offset) {
        String digits = Long.toUnsignedString(offset ^ Long.MIN_VALUE);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }

    static long toOffset(String place) {
        return Long.parseUnsignedLong(place) ^ Long.MIN_VALUE;
    }
}

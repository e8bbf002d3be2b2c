package io.tidegate.peers;

/**
 * What a breaker did.
 *
 * @param fact what was seen
 */
record Finding(Verdict verdict, String fact) {
    /** What that is by Tidegate's rule. */
    enum Verdict {
        OK,
        FAILS,
        UNKNOWN
    }

    static Finding of(boolean ok, String fact) {
        return new Finding(ok ? Verdict.OK : Verdict.FAILS, fact);
    }

    static Finding unknown(String why) {
        return new Finding(Verdict.UNKNOWN, why);
    }

    /** As in a cell of the table. */
    @Override
    public String toString() {
        return switch (verdict) {
            case OK -> "ok: " + fact;
            case FAILS -> "**fails**: " + fact;
            case UNKNOWN -> fact;
        };
    }
}

package io.tidegate.peers;

/**
 * The result of a situation.
 *
 * @param fact what happened
 */
record Finding(Verdict verdict, String fact) {
    /** How Tidegate's rule judges it. */
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

    /** Returns the text of a cell of the table. */
    @Override
    public String toString() {
        return switch (verdict) {
            case OK -> "ok: " + fact;
            case FAILS -> "**fails**: " + fact;
            case UNKNOWN -> fact;
        };
    }
}

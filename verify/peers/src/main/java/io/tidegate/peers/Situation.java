package io.tidegate.peers;

/** A row of a table. */
interface Situation {
    String title();
}

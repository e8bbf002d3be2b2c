package io.tidegate.bulkhead;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * An atomic word that has its cache line to itself: fields of a superclass come before it in memory, and fields of a
 * subclass after it.
 */
abstract class PaddedLong extends Word {
    @SuppressWarnings("unused")
    private long a0, a1, a2, a3, a4, a5, a6, a7;
}

abstract class Word extends LineBefore {
    static final AtomicLongFieldUpdater<Word> WORD = AtomicLongFieldUpdater.newUpdater(Word.class, "word");

    volatile long word;
}

abstract class LineBefore {
    @SuppressWarnings("unused")
    private long b0, b1, b2, b3, b4, b5, b6, b7;
}

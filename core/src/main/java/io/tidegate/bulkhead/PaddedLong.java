package io.tidegate.bulkhead;

import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * An atomic word with its cache line to itself: the fields of a class lie between those of its superclass and its
 * subclasses.
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

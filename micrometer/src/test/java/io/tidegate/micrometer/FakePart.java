package io.tidegate.micrometer;

import io.tidegate.Part;
import io.tidegate.Reading;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A part of any kind that reports what a test sets. */
final class FakePart implements Part {
    final AtomicInteger reads = new AtomicInteger();
    private final String kind;
    private final String name;
    private volatile Consumer<Reading> telling;

    FakePart(String kind, String name, Consumer<Reading> telling) {
        this.kind = kind;
        this.name = name;
        this.telling = telling;
    }

    void tells(Consumer<Reading> now) {
        telling = now;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String kind() {
        return kind;
    }

    @Override
    public void read(Reading to) {
        reads.incrementAndGet();
        telling.accept(to);
    }

    @Override
    public String toString() {
        return kind + " " + name;
    }
}

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
    private volatile Consumer<Reading> reports;

    FakePart(String kind, String name, Consumer<Reading> reports) {
        this.kind = kind;
        this.name = name;
        this.reports = reports;
    }

    void reports(Consumer<Reading> now) {
        reports = now;
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
        reports.accept(to);
    }

    @Override
    public String toString() {
        return kind + " " + name;
    }
}

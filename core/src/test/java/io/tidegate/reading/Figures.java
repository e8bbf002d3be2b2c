package io.tidegate.reading;

import static java.util.stream.Collectors.joining;

import java.lang.reflect.RecordComponent;
import java.util.stream.Stream;

/** The numbers of a record by name, so that an assertion shows which number is which. */
public final class Figures {
    private Figures() {}

    /** Returns the numbers that are not zero, in their order, as in {@code calls=7 failures=2}. */
    public static String of(Record record) {
        return Stream.of(record.getClass().getRecordComponents())
                .map(component -> component.getName() + "=" + value(record, component))
                .filter(figure -> !figure.endsWith("=0"))
                .collect(joining(" "));
    }

    private static Object value(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(component.toString(), e);
        }
    }
}

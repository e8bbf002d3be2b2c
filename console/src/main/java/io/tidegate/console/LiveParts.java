package io.tidegate.console;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tidegate.Part;
import io.tidegate.Registry;
import io.tidegate.console.panel.Panel;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * All parts of the registry as they were last read, and which changes no frame has had yet. One thread uses it.
 *
 * <p>A new viewer gets everything except the events that the next frame will contain. That frame may repeat values,
 * parts and removals. Frames contain values, not differences, so repeating them changes nothing.
 */
final class LiveParts {
    /** How many events one reading makes at most. Of the rest only the number is reported. */
    static final int MOST_EVENTS = 50;

    /** After a pause this long, a difference between two readings no longer shows when it came about. */
    static final long FORGOTTEN_MILLIS = 60_000;

    private final Registry registry;
    private final @Nullable Panel panel;
    private final boolean control;
    private final EventLog log;
    private final LongSupplier clock;
    private final Duration patience;
    private final ReadingRunner runner;
    private @Nullable PanelState panelAwaited;
    private final IdentityHashMap<Part, LivePart> known = new IdentityHashMap<>();
    private List<LivePart> inOrder = List.of();
    private final List<Integer> gone = new ArrayList<>();
    private final News news = new News();
    private Map<String, ?> panelState = Map.of();
    private boolean panelChanged;
    private boolean hasLooked;
    private int nextId = 1;
    private long lastRead;
    private long now;
    private long sentEvents;

    /** @param patience how long reading one part may take */
    LiveParts(
            Registry registry,
            @Nullable Panel panel,
            boolean control,
            EventLog log,
            Duration patience,
            LongSupplier clock) {
        this.registry = registry;
        this.panel = panel;
        this.control = control;
        this.log = log;
        this.patience = patience;
        this.runner = new ReadingRunner(patience.toNanos());
        this.clock = clock;
    }

    /** Finds out which parts there are, without reading them, and forgets those that were removed. */
    void look() {
        now = clock.getAsLong();
        List<LivePart> present = new ArrayList<>();
        IdentityHashMap<Part, LivePart> left = new IdentityHashMap<>(known);
        for (Part part : registry.parts()) {
            LivePart shown = left.get(part);
            if (shown == null || hasOtherTags(shown)) {
                shown = added(part);
            } else {
                left.remove(part);
            }
            if (shown != null) {
                present.add(shown);
            }
        }
        for (LivePart removed : left.values()) {
            known.remove(removed.part, removed);
            gone.add(removed.id);
            news.add(0, Event.of(now, "part", removed, null, "removed"));
        }
        inOrder = present;
        hasLooked = true;
        news.report();
    }

    private boolean hasOtherTags(LivePart shown) {
        try {
            return !shown.tags.equals(registry.tags(shown.part));
        } catch (RuntimeException nameless) { // it had a name when it was added, but a proxy may outlive its scope
            return false;
        }
    }

    private @Nullable LivePart added(Part part) {
        LivePart added;
        try {
            added = new LivePart(nextId, part, registry.tags(part), Actions.of(part));
        } catch (RuntimeException nameless) { // the name of a part that users wrote may throw
            return null;
        }
        nextId++;
        known.put(part, added);
        if (hasLooked) {
            news.add(0, Event.of(now, "part", added, null, "added"));
        }
        return added;
    }

    /** Reads each part once. */
    void read() {
        look();
        LivePart.@Nullable Listener differences = now - lastRead < FORGOTTEN_MILLIS ? this::changed : null;
        lastRead = now;
        Map<LivePart, PartReading> readings = new LinkedHashMap<>();
        for (LivePart part : inOrder) {
            PartReading reading = part.reading();
            if (reading != null) {
                readings.put(part, reading);
            }
        }
        List<ReadingRunner.Step> steps = new ArrayList<>(readings.values());
        PanelState state = panelState();
        if (state != null) {
            steps.add(state);
        }
        runner.run(steps);
        readings.forEach((part, reading) -> {
            if (part.take(reading, patience.toMillis(), differences)) {
                news.add(0, Event.of(now, "unread", part, null, "cannot be read"));
            }
        });
        for (LivePart part : inOrder) {
            if (differences == null) {
                part.repeats.clear();
            }
            part.repeats.report(now, (series, text) -> repeated(part, series, text));
        }
        if (state != null) {
            take(state);
        }
        news.report();
    }

    private @Nullable PanelState panelState() {
        boolean waits = panelAwaited != null && panelAwaited.isRunning();
        return panel == null || waits ? null : new PanelState(panel);
    }

    /* If the panel fails or does not answer, its last state stays. */
    private void take(PanelState read) {
        panelAwaited = read;
        Map<String, ?> state = read.isOver() ? read.state : null;
        if (state != null) {
            panelChanged |= !state.equals(panelState);
            panelState = state;
        }
    }

    private static final class PanelState extends ReadingRunner.Step {
        private final Panel panel;
        private @Nullable Map<String, ?> state;

        PanelState(Panel panel) {
            this.panel = panel;
        }

        @Override
        void run() {
            state = panel.state();
        }
    }

    private void changed(LivePart part, PartReading.Series series, Object before, Object after) {
        switch (series.measure()) {
            case "refused", "held.long" -> rose(part, series, before, after);
            case "lost" -> {
                if (part.kind.equals("lease")) {
                    rose(part, series, before, after);
                }
            }
            case "limit", "cap" -> part.repeats.moved(series, before, after);
            default -> {
                if (series.type() == PartReading.Type.STATE) {
                    news.add(0, Event.of(now, "state", part, after.toString(), Event.moved(before, after)));
                }
            }
        }
    }

    private static void rose(LivePart part, PartReading.Series series, Object before, Object after) {
        if (before instanceof Long from && after instanceof Long to && to > from) {
            part.repeats.rose(series, to - from);
        }
    }

    private void repeated(LivePart part, PartReading.Series series, String text) {
        switch (series.measure()) {
            case "refused" -> news.add(1, Event.of(now, "refused", part, series.tag("code"), text));
            case "lost" -> news.add(1, Event.of(now, "lost", part, null, text));
            case "held.long" -> news.add(1, Event.of(now, "held", part, "OB_WARN_HELD_LONG", text));
            default -> news.add(2, Event.of(now, "limit", part, null, text));
        }
    }

    /** Ends a reading that is under way early. */
    void close() {
        runner.close();
    }

    /** Returns everything as last read, with all events. */
    byte[] everything() {
        return everything(Long.MAX_VALUE);
    }

    /** Returns everything for a viewer that will get the next frame. */
    byte[] everythingBeforeNextChange() {
        return everything(sentEvents);
    }

    private byte[] everything(long eventsBefore) {
        return Json.bytes(json -> {
            json.writeStartObject();
            json.writeNumberField("time", now);
            json.writeBooleanField("control", control);
            writePanel(json);
            json.writeArrayFieldStart("parts");
            for (LivePart part : inOrder) {
                part.write(json);
            }
            json.writeEndArray();
            writeEvents(json, log.between(0, eventsBefore));
            json.writeEndObject();
        });
    }

    /** Returns what is new since the last call. */
    byte[] change() {
        long next = log.next();
        List<Event> events = log.between(sentEvents, next);
        long lost = next - sentEvents - events.size();
        if (lost > 0) {
            events.add(0, more(lost));
        }
        byte[] change = Json.bytes(json -> {
            json.writeStartObject();
            json.writeNumberField("time", now);
            writeValues(json);
            writeParts(json);
            if (!gone.isEmpty()) {
                json.writeFieldName("gone");
                Json.value(json, gone);
            }
            if (!events.isEmpty()) {
                writeEvents(json, events);
            }
            if (panelChanged) {
                writePanel(json);
            }
            json.writeEndObject();
        });
        sentEvents = next;
        sent();
        return change;
    }

    /** Skips the changes since the last call, when there is no viewer. */
    void skipChange() {
        sentEvents = log.next();
        sent();
    }

    private void sent() {
        gone.clear();
        panelChanged = false;
        inOrder.forEach(LivePart::sent);
    }

    private void writeValues(JsonGenerator json) throws IOException {
        boolean any = false;
        for (LivePart part : inOrder) {
            if (part.hasChanged() && !part.isSentWhole()) {
                if (!any) {
                    json.writeObjectFieldStart("values");
                    any = true;
                }
                part.writeChanged(json);
            }
        }
        if (any) {
            json.writeEndObject();
        }
    }

    private void writeParts(JsonGenerator json) throws IOException {
        List<LivePart> whole = inOrder.stream().filter(LivePart::isSentWhole).toList();
        if (!whole.isEmpty()) {
            json.writeArrayFieldStart("parts");
            for (LivePart part : whole) {
                part.write(json);
            }
            json.writeEndArray();
        }
    }

    private void writePanel(JsonGenerator json) throws IOException {
        if (panel != null) {
            json.writeObjectFieldStart("panel");
            json.writeStringField("title", Json.text(panel.title()));
            json.writeFieldName("state");
            Json.value(json, panelState);
            json.writeEndObject();
        }
    }

    private static void writeEvents(JsonGenerator json, Collection<Event> events) throws IOException {
        json.writeArrayFieldStart("events");
        for (Event event : events) {
            event.write(json);
        }
        json.writeEndArray();
    }

    private Event more(long events) {
        return new Event(now, "more", null, null, null, events + " more", null);
    }

    /** The events of one reading, by importance: with a thousand parts in trouble not all can be sent. */
    private final class News {
        private final List<List<Event>> byRank = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());

        void add(int rank, Event event) {
            byRank.get(rank).add(event);
        }

        void report() {
            long all = byRank.stream().mapToLong(List::size).sum();
            byRank.stream().flatMap(List::stream).limit(MOST_EVENTS).forEach(log::add);
            if (all > MOST_EVENTS) {
                log.add(more(all - MOST_EVENTS));
            }
            byRank.forEach(List::clear);
        }
    }
}

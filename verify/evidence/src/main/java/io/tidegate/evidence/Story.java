package io.tidegate.evidence;

import io.tidegate.remote.BulkheadEvent;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The events that explain one line of a log: those of the same request and permit, and the lines right before. */
final class Story {
    private static final int RIGHT_BEFORE = 5;
    private static final int OF_THE_SAME = 10;

    private final List<BulkheadEvent> events;
    private final int end;

    /**
     * Makes a story.
     *
     * @param end the index of its last event
     */
    Story(List<BulkheadEvent> events, int end) {
        this.events = events;
        this.end = end;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        int last = -1;
        for (int index : shown()) {
            if (index > last + 1) {
                text.append("  ...\n");
            }
            text.append("%s %5d  %s%n"
                    .formatted(
                            index == end ? ">" : " ",
                            index + 1,
                            events.get(index).toLine()));
            last = index;
        }
        return text.toString();
    }

    private Set<Integer> shown() {
        Set<Integer> shown = new TreeSet<>();
        for (int index = Math.max(0, end - RIGHT_BEFORE); index <= end; index++) {
            shown.add(index);
        }
        Set<String> subjects = subjects(events.get(end));
        int same = 0;
        for (int index = end - 1; index >= 0 && same < OF_THE_SAME; index--) {
            Set<String> here = subjects(events.get(index));
            if (here.stream().anyMatch(subjects::contains)) {
                subjects.addAll(here); // the request that has the returned permit
                shown.add(index);
                same++;
            }
        }
        return shown;
    }

    /* Returns the requests and permits of an event. A request's id is the rest of the detail, whatever it contains. */
    private static Set<String> subjects(BulkheadEvent event) {
        Set<String> subjects = new HashSet<>();
        String detail = event.detail();
        int request = detail.startsWith("request=") ? 0 : detail.indexOf(" request=");
        if (request >= 0) {
            subjects.add(detail.substring(request).strip());
        }
        for (String word :
                detail.substring(0, request < 0 ? detail.length() : request).split(" ", -1)) {
            if (word.startsWith("permit=")) {
                subjects.add(word);
            }
        }
        return subjects;
    }
}

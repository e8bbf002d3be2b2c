package io.tidegate.model;

import edu.mit.csail.sdg.parser.CompModule;
import edu.mit.csail.sdg.parser.CompUtil;
import edu.mit.csail.sdg.translator.A4Solution;
import edu.mit.csail.sdg.translator.A4Tuple;
import edu.mit.csail.sdg.translator.A4TupleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A solution of the lease model in plain words. */
final class Story {
    /** An event that may happen in a step: its tuples in the model, and the sentence about them. */
    private record Event(String tuples, String text) {}

    private static final List<Event> EVENTS = List.of(
            new Event("{w: Worker, o: Offset, f: Fence | acquires[w, o] and f in live'}", "%s acquires %s with %s"),
            new Event("{o: Offset | some w: Worker | enqueues[w, o]}", "%s is queued"),
            new Event(
                    "{w: Worker, o: Offset, f: Fence | takesOver[w, o] and w in f.owner'}", "%s takes over %s with %s"),
            new Event(
                    "{w: Worker, f: Fence | w in f.(granted' - granted).Offset and f not in w.knows'}",
                    "the reply to %s about %s is lost"),
            new Event(
                    "{w: Worker, o: Offset | givesUpOnTakeOver[w, o]}",
                    "%s asks for %s, which has expired and has no retry left: it ends as failed"),
            new Event(
                    "{w: Worker, o: Offset | asksAgain[w, o] and knows' != knows}",
                    "%s asks for %s and gets its token"),
            new Event("{f: live | expires}", "the lease with %s expires"),
            new Event("{w: Worker, f: Fence | renews[w, f]}", "%s renews the lease with %s"),
            new Event("{w: Worker | crashes[w]}", "%s crashes"),
            new Event(
                    "{w: Worker, f: Fence | sendsSucceed[w, f] and succeeding' != succeeding}",
                    "%s sends succeed with the token of %s"),
            new Event(
                    "{w: Worker, f: Fence, r: Retry | sendsFail[w, f, r] and failing' != failing}",
                    "%s sends fail with the token of %s at retryCount %s"),
            new Event(
                    "{w: Worker, f: Fence, o: Offset | succeeds[w, f] and o in held}",
                    "the succeed of %s with the token of %s arrives: %s is processed"),
            new Event(
                    "{w: Worker, f: Fence, r: Retry, o: Offset | failsToRetry[w, f, r] and o in held}",
                    "the fail of %s with the token of %s at retryCount %s arrives: %s is to be retried"),
            new Event(
                    "{w: Worker, f: Fence, r: Retry, o: Offset | givesUp[w, f, r] and o in held}",
                    "the fail of %s with the token of %s at retryCount %s arrives: %s"
                            + " has no retry left and ends as failed"),
            new Event(
                    "{w: Worker, f: Fence | writes[w, f] and (seen' != seen or writer' != writer)}",
                    "%s writes to the resource with %s"));

    private static final List<Event> STATE = List.of(
            new Event("{o: held, f: leased.o}", "%s is leased with %s"),
            new Event("{f: Fence, w: f.owner}", "%s is held by %s"),
            new Event("Store.expired", "the lease with %s has expired"),
            new Event("Store.queued", "%s is queued"),
            new Event("Store.processed", "%s is processed"),
            new Event("Store.failed", "%s has failed"),
            new Event("{w: Worker, f: w.knows}", "%s knows the token of %s"),
            new Event("{w: Worker, f: w.succeeding}", "a succeed of %s with the token of %s may arrive"),
            new Event(
                    "{w: Worker, f: Fence, r: f.(w.failing)}",
                    "a fail of %s with the token of %s at retryCount %s may arrive"),
            new Event("Store.retry", "retryCount is %s"),
            new Event("Store.maxRetries", "maxRetries is %s"));

    private final CompModule module;
    private final A4Solution solution;

    Story(CompModule module, A4Solution solution) {
        this.module = module;
        this.solution = solution;
    }

    /** Returns a line for the start, one for each step in which something happens, and one for the end. */
    List<String> lines() {
        int last = solution.getTraceLength() - 1;
        int loop = solution.getLoopState();
        List<String> lines = new ArrayList<>();
        lines.add("At the start: " + text(STATE, 0));
        for (int state = 0; state <= last; state++) {
            String text = text(EVENTS, state);
            if (!text.isEmpty()) {
                lines.add("%2d. %s".formatted(state + 1, text));
            }
        }
        lines.add(loop < last ? "And again from step " + (loop + 1) + ", for ever." : "Then nothing more.");
        lines.add("In the end: " + text(STATE, last));
        return lines;
    }

    @Override
    public String toString() {
        return String.join(System.lineSeparator(), lines());
    }

    private String text(List<Event> events, int state) {
        return events.stream()
                .flatMap(event -> tuples(event, state)
                        .map(tuple -> event.text().formatted(names(tuple).toArray())))
                .collect(Collectors.joining("; "));
    }

    private Stream<A4Tuple> tuples(Event event, int state) {
        Object value = solution.eval(CompUtil.parseOneExpression_fromString(module, event.tuples()), state);
        return StreamSupport.stream(((A4TupleSet) value).spliterator(), false);
    }

    /** Names the atoms of a tuple: {@code Worker$0} is worker 1. */
    private static List<String> names(A4Tuple tuple) {
        return IntStream.range(0, tuple.arity())
                .mapToObj(tuple::atom)
                .map(atom -> atom.substring(atom.lastIndexOf('/') + 1))
                .map(atom -> {
                    int number = Integer.parseInt(atom.substring(atom.indexOf('$') + 1));
                    String kind = atom.substring(0, atom.indexOf('$')).toLowerCase(Locale.ROOT);
                    return kind.equals("retry") ? String.valueOf(number) : kind + " " + (number + 1);
                })
                .toList();
    }
}

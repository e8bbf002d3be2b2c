package io.tidegate.console;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tidegate.Part;
import io.tidegate.group.GroupExecutor;
import io.tidegate.group.GroupStats;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Actions and views of the group executor. Loaded only if its module is there, which is optional and needs Java 21. */
final class GroupActions {
    private GroupActions() {}

    static boolean isGroup(Part part) {
        return part instanceof GroupExecutor;
    }

    /** Sets the limit of all groups together, or of the group that the body names. */
    static Actions.Done setLimit(Part part, Body body) {
        GroupExecutor groups = (GroupExecutor) part;
        int limit = Actions.limit(body.only("limit", "group"));
        if (!body.has("group")) {
            String before = Actions.gauge(part, "limit");
            groups.setGlobalMaxInFlight(limit);
            return new Actions.Done(before, Integer.toString(limit));
        }
        String group = body.text("group");
        String before = known(groups, group).maxConcurrency() + " in " + group;
        groups.setMaxConcurrency(group, limit);
        return new Actions.Done(before, limit + " in " + group);
    }

    static Actions.Done evict(Part part, Body body) {
        GroupExecutor groups = (GroupExecutor) part;
        String group = body.only("group").text("group");
        GroupStats stats = known(groups, group);
        groups.evictGroup(group);
        boolean stays = groups.groupStats(group).isPresent();
        return new Actions.Done(
                group + ": " + stats.inFlight() + " in flight, " + stats.waiting() + " waiting",
                group + ": " + (stays ? "forgotten when idle" : "forgotten"));
    }

    private static GroupStats known(GroupExecutor groups, String group) {
        Optional<GroupStats> stats = groups.groupStats(group);
        return stats.orElseThrow(
                () -> new IllegalArgumentException("group: " + Json.text(group) + " (expected: one that is known)"));
    }

    /** Writes the first groups in an order: the most loaded, or those whose tasks have waited longest. */
    static void write(JsonGenerator json, Part part, int limit, String order) throws IOException {
        Comparator<GroupStats> least = switch (order) {
            case "load" -> Comparator.comparingLong(group -> (long) group.waiting() + group.inFlight());
            case "wait" -> Comparator.comparingLong(GroupStats::oldestWaitingNanos);
            default -> throw new IllegalArgumentException("by: " + Json.text(order) + " (expected: load or wait)");
        };
        List<GroupStats> all = ((GroupExecutor) part).groups();
        List<GroupStats> shown = all.stream()
                .sorted(least.reversed().thenComparing(GroupStats::groupKey))
                .limit(limit)
                .toList();
        json.writeStartObject();
        json.writeNumberField("total", all.size());
        json.writeArrayFieldStart("groups");
        for (GroupStats group : shown) {
            json.writeStartObject();
            json.writeStringField("group", Json.name(group.groupKey()));
            json.writeNumberField("running", group.running());
            json.writeNumberField("inFlight", group.inFlight());
            json.writeNumberField("waiting", group.waiting());
            json.writeNumberField("maxConcurrency", group.maxConcurrency());
            json.writeNumberField("maxInFlight", group.maxInFlight());
            json.writeNumberField("queueThreshold", group.queueThreshold());
            json.writeNumberField("oldestWaitingMillis", group.oldestWaitingNanos() / 1_000_000);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}

package io.tidegate.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/** The tables of one part, made from all of its measurements. */
final class Report {
    private final Part part;
    private final Map<Case, Measurement> measured;

    Report(Part part, Map<Case, Measurement> measured) {
        this.part = part;
        this.measured = measured;
    }

    @Override
    public String toString() {
        return part.hasRows() ? costs() + "\n" + notes() + (part.notes().isEmpty() ? "" : "\n") + targets() : notes();
    }

    private MarkdownTable costs() {
        MarkdownTable table = new MarkdownTable(costHeader());
        for (Row row : part.rows()) {
            String work = row.work();
            for (Contestant contestant : row.contestants()) {
                table.add(costLine(work, row, contestant));
                work = ""; // the work is only on its first line
            }
        }
        return table;
    }

    private List<String> costHeader() {
        List<String> header = new ArrayList<>(List.of("work", "by"));
        for (int threads : part.threads()) {
            header.add("t" + threads + " ns");
            if (part.showsProcessorTime()) {
                header.add("CPU ns");
            }
            header.addAll(List.of("× floor", "× best peer", "B"));
        }
        return header;
    }

    private List<String> costLine(String work, Row row, Contestant contestant) {
        List<String> line = new ArrayList<>(List.of(work, contestant.label()));
        for (int threads : part.threads()) {
            if (!row.threads().contains(threads)) {
                line.addAll(Collections.nCopies(part.showsProcessorTime() ? 5 : 4, ""));
                continue;
            }
            Measurement cost = cost(row, contestant, threads);
            line.add(cost.showNanos());
            if (part.showsProcessorTime()) {
                line.add(cost.showProcessorNanos());
            }
            line.add(Numbers.show(cost.nanos() / cost(row, row.floor(), threads).nanos()));
            line.add(Numbers.show(cost.nanos() / bestPeerNanos(row, threads).orElse(Double.NaN)));
            line.add(cost.showBytes());
        }
        return line;
    }

    private OptionalDouble bestPeerNanos(Row row, int threads) {
        return row.peers().stream()
                .mapToDouble(peer -> cost(row, peer, threads).nanos())
                .min();
    }

    private String notes() {
        StringBuilder lines = new StringBuilder();
        part.notes().forEach(note -> lines.append("- ").append(note).append('\n'));
        return lines.toString();
    }

    private MarkdownTable targets() {
        MarkdownTable table = new MarkdownTable(List.of("target for", "threads", "limit", "reached", "verdict"));
        for (Row row : part.rows()) {
            for (Target target : row.targets()) {
                table.add(targetLine(row, target));
            }
        }
        return table;
    }

    private List<String> targetLine(Row row, Target target) {
        Contestant judged = target.by() == null ? row.tidegate() : row.named(target.by());
        Measurement tidegate = cost(row, judged, target.threads());
        Measurement reference =
                target.reference() == null ? null : cost(row, row.named(target.reference()), target.threads());
        boolean rough = target.isOfTime() && (tidegate.disturbed() || (reference != null && reference.disturbed()));
        double reached = target.reached(tidegate, reference);
        return List.of(
                row.work() + (target.by() == null ? "" : ", " + target.by()),
                Integer.toString(target.threads()),
                target.describe(),
                (rough ? "~" : "") + target.show(reached),
                rough ? "unsure" : target.isMetBy(reached) ? "met" : "MISSED");
    }

    private Measurement cost(Row row, Contestant contestant, int threads) {
        Case one = new Case(row, contestant, threads);
        return Objects.requireNonNull(measured.get(one), () -> "not measured: " + one);
    }
}

package io.tidegate.bulkhead.lincheck;

import io.tidegate.bulkhead.TerminalKind;
import java.util.List;

/**
 * What a thread knows that has seen a submission end.
 *
 * @param end how it ended
 * @param told every kind of which the listener has been told by then
 */
public record Ending(End end, List<TerminalKind> told) {}

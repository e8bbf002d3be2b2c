package io.tidegate.bulkhead.lincheck;

import io.tidegate.bulkhead.TerminalKind;
import java.util.List;

/**
 * What a thread knows once it has seen a submission end.
 *
 * @param end how it ended
 * @param reported every kind that the listener has got by then
 */
public record Ending(End end, List<TerminalKind> reported) {}

package io.tidegate.gate;

/** A part that the library itself implements, so that other parts can rely on it. */
public interface OwnPart {
    /** The name in its refusals. */
    String name();
}

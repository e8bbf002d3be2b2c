package io.tidegate.gate;

/** A part that the library itself implements. Unlike a user's implementation, it surely keeps its promises. */
public interface OwnPart {
    /** The name in its refusals. */
    String name();
}

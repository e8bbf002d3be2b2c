package io.tidegate.gate;

/** A part that the library made. What it promises can be relied upon where users' own variants cannot. */
public interface OwnPart {
    /** The name in its refusals. */
    String name();
}

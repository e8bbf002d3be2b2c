package io.tidegate.gate;

/** A part that the library made. Its promises can be relied upon, unlike those of users' own implementations. */
public interface OwnPart {
    /** The name in its refusals. */
    String name();
}

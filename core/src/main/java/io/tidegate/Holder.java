package io.tidegate;

import java.time.Duration;
import java.util.List;

/**
 * A call or request that has held a permit of a part for long. See {@link HolderWatch}.
 *
 * @param kind the part's kind
 * @param source the part's name
 * @param thread the name of the thread that was admitted
 * @param owner what {@link HolderWatch#owner} returned then; empty without one
 * @param age how long the permit has been held
 * @param stack where it was admitted, the innermost 64 frames; empty if it was not kept
 */
public record Holder(
        String kind, String source, String thread, String owner, Duration age, List<StackTraceElement> stack) {
    /** The stable code of the warning: {@value}. */
    public static final String CODE = "OB_WARN_HELD_LONG";

    /** One line, for a log; the stack below it, if there is one. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(CODE)
                .append(": ")
                .append(kind)
                .append(" '")
                .append(source)
                .append("' is held for ")
                .append(age)
                .append(" by thread '")
                .append(thread)
                .append('\'');
        if (!owner.isEmpty()) {
            text.append(" for '").append(owner).append('\'');
        }
        stack.forEach(frame -> text.append("\n\tat ").append(frame));
        return text.toString();
    }
}

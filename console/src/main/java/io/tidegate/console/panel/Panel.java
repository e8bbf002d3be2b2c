package io.tidegate.console.panel;

import java.io.InputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A view beside those of the parts. Its script is a module of the page, loaded from {@code panel/<file>}. Its state
 * comes with each frame. Its actions need the token, like all control.
 */
public interface Panel {
    /** What the page's menu calls it. */
    String title();

    /** A file of its own, such as {@code "panel.js"}, which the page loads first; null if there is no such file. */
    @Nullable
    InputStream file(String name);

    /** What it shows now: texts, numbers, booleans, lists and maps of these. Called once for each frame. */
    Map<String, ?> state();

    /**
     * Does what a viewer with the token asks for.
     *
     * @return what is answered
     * @throws IllegalArgumentException if it cannot be done, with a message for the viewer
     */
    Map<String, ?> act(String action, Map<String, ?> body);
}

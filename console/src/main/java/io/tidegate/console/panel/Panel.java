package io.tidegate.console.panel;

import java.io.InputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A view beside those of the parts. Its script is a module of the page, loaded from {@code panel/<file>}; what it is
 * told comes with each frame; what it asks for needs the token, like any control.
 */
public interface Panel {
    /** What the page's menu calls it. */
    String title();

    /** A file of its own, such as {@code "panel.js"}, which the page loads first; null if there is no such file. */
    @Nullable
    InputStream file(String name);

    /** What it shows now: texts, numbers, truths, lists and maps of these. Asked once for all viewers of a frame. */
    Map<String, ?> state();

    /**
     * Does what a viewer with the token asks for.
     *
     * @return what is answered
     * @throws IllegalArgumentException if it cannot be done, with a message for the viewer
     */
    Map<String, ?> act(String action, Map<String, ?> body);
}

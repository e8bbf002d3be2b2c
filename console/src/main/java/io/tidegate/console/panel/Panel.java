package io.tidegate.console.panel;

import java.io.InputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A view beside those of the parts. Its script is a module of the page, loaded from {@code panel/<file>}. Its state
 * comes with each frame. Its actions need the token, like all control.
 */
public interface Panel {
    /** Returns the view's name in the menu of the page. */
    String title();

    /**
     * Returns a file of the view, such as {@code "panel.js"}, which the page loads first; null if there is no such
     * file.
     */
    @Nullable
    InputStream file(String name);

    /**
     * Returns what the view shows now: texts, numbers, booleans, lists and maps of these. Called once for each frame.
     */
    Map<String, ?> state();

    /**
     * Runs an action for a viewer with the token.
     *
     * @return the answer
     * @throws IllegalArgumentException if the action is not possible, with a message for the viewer
     */
    Map<String, ?> act(String action, Map<String, ?> body);
}

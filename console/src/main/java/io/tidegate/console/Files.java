package io.tidegate.console;

import static java.util.Objects.requireNonNull;

import io.tidegate.console.panel.Panel;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files of the page: those of the jar, and those of the panel. */
final class Files {
    private static final String CHART = "META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.min.js";

    /* The names that are allowed; none of them leads out of the folder. */
    private static final Pattern NAME =
            Pattern.compile("(panel/)?((?:[a-z0-9-]+/)*[a-z0-9-]+(?:\\.[a-z0-9-]+)*)\\.([a-z0-9]+)");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "json", "application/json",
            "svg", "image/svg+xml",
            "png", "image/png",
            "ico", "image/x-icon");

    private final @Nullable Panel panel;

    Files(@Nullable Panel panel) {
        this.panel = panel;
    }

    /** Returns the content of a file; null if there is no such file. */
    byte @Nullable [] read(String path) throws IOException {
        Matcher name = NAME.matcher(path);
        if (!name.matches() || !TYPES.containsKey(name.group(3))) {
            return null;
        }
        try (InputStream file = name.group(1) == null ? own(path) : ofPanel(name.group(2), name.group(3))) {
            return file == null ? null : file.readAllBytes();
        }
    }

    /** Returns the content type of a file that exists. */
    static String type(String path) {
        return requireNonNull(TYPES.get(path.substring(path.lastIndexOf('.') + 1)));
    }

    private static @Nullable InputStream own(String name) {
        return name.equals("chart.js")
                ? Files.class.getClassLoader().getResourceAsStream(CHART)
                : Files.class.getResourceAsStream("page/" + name);
    }

    private @Nullable InputStream ofPanel(String name, String ending) {
        return panel == null ? null : panel.file(name + "." + ending);
    }
}

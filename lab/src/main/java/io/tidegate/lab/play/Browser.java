package io.tidegate.lab.play;

import java.util.Locale;
import java.util.Map;

/** Opens a page in a browser, if there is a display. */
public interface Browser {
    /** Whether there is a display. */
    boolean hasDisplay();

    /** Opens an address; returns whether a browser was started. */
    boolean open(String address);

    /** Returns the browser of this machine. */
    static Browser ofThisMachine() {
        return of(System.getProperty("os.name", ""), System.getenv());
    }

    /** Returns the browser of a machine with this system and these variables. */
    static Browser of(String system, Map<String, String> variables) {
        boolean mac = system.toLowerCase(Locale.ROOT).startsWith("mac");
        boolean display = !variables.getOrDefault("DISPLAY", "").isBlank()
                || !variables.getOrDefault("WAYLAND_DISPLAY", "").isBlank();
        boolean remote = variables.containsKey("SSH_CONNECTION") && mac;
        return new DesktopBrowser(mac ? !remote : display, mac ? "open" : "xdg-open", DesktopBrowser.usualFolder());
    }
}

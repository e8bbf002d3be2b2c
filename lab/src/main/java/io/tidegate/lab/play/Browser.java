package io.tidegate.lab.play;

import java.util.Locale;
import java.util.Map;

/** Shows a page to somebody, where there is somebody. */
public interface Browser {
    /** Whether there is a display. */
    boolean hasDisplay();

    /** Shows an address; whether something was started that does. */
    boolean open(String address);

    /** That of this machine, if it has one. */
    static Browser ofThisMachine() {
        return of(System.getProperty("os.name", ""), System.getenv());
    }

    /** That of a machine with this system and these variables. */
    static Browser of(String system, Map<String, String> variables) {
        boolean mac = system.toLowerCase(Locale.ROOT).startsWith("mac");
        boolean display = !variables.getOrDefault("DISPLAY", "").isBlank()
                || !variables.getOrDefault("WAYLAND_DISPLAY", "").isBlank();
        boolean remote = variables.containsKey("SSH_CONNECTION") && mac;
        return new DesktopBrowser(mac ? !remote : display, mac ? "open" : "xdg-open", DesktopBrowser.usualFolder());
    }
}

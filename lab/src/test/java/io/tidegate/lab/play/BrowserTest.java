package io.tidegate.lab.play;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BrowserTest {
    @Test
    void hasDisplay_byTheMachinesVariables() {
        assertThat(Browser.of("Linux", Map.of()).hasDisplay()).isFalse();
        assertThat(Browser.of("Linux", Map.of("DISPLAY", "")).hasDisplay()).isFalse();
        assertThat(Browser.of("Linux", Map.of("DISPLAY", ":0")).hasDisplay()).isTrue();
        assertThat(Browser.of("Linux", Map.of("WAYLAND_DISPLAY", "wayland-0")).hasDisplay())
                .isTrue();
        assertThat(Browser.of("Mac OS X", Map.of()).hasDisplay()).isTrue();
        assertThat(Browser.of("Mac OS X", Map.of("SSH_CONNECTION", "a b")).hasDisplay())
                .isFalse();
    }

    @Test
    void open_noDisplay_startsNothing() {
        assertThat(Browser.of("Linux", Map.of()).open("http://127.0.0.1/")).isFalse();
    }
}

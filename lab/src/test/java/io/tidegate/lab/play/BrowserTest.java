package io.tidegate.lab.play;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrowserTest {
    @TempDir
    private Path folder;

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

    @Test
    void open_addressWithAToken_isInNoCommandLine() throws Exception {
        Path opened = folder.resolve("opened");
        Path command = Files.writeString(
                folder.resolve("show"),
                "#!/bin/sh\nprintf %s \"$*\" > '" + opened + "-'\nmv '" + opened + "-' '" + opened + "'\n");
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));

        assertThat(new DesktopBrowser(true, command.toString(), folder).open("http://127.0.0.1:1/#token=geheim&/panel"))
                .isTrue();

        while (!Files.exists(opened)) {
            Thread.onSpinWait();
        }
        Path file = Path.of(Files.readString(opened));
        assertThat(file).hasParent(folder);
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(file)
                .content()
                .contains("http-equiv=\"refresh\" content=\"0; url=http://127.0.0.1:1/#token=geheim&amp;/panel\"");
    }
}

package io.tidegate.lab.play;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The browser of a desktop. The address of the page contains a token and must stay secret, but all users of a machine
 * can see its command lines. So the browser gets a file that only this user can read, and the file leads to the
 * address.
 */
final class DesktopBrowser implements Browser {
    private final boolean display;
    private final String command;
    private final Path folder;

    /**
     * Makes a browser.
     *
     * @param command the program that shows a file
     * @param folder the place of that file, which exists until this process ends
     */
    DesktopBrowser(boolean display, String command, Path folder) {
        this.display = display;
        this.command = command;
        this.folder = folder;
    }

    /** Returns the folder of the jar: a browser in a sandbox can read it, but not the folder for temporary files. */
    static Path usualFolder() {
        Path beside =
                Path.of(System.getProperty("java.class.path")).toAbsolutePath().getParent();
        return beside != null && Files.isWritable(beside) ? beside : Path.of(System.getProperty("java.io.tmpdir"));
    }

    @Override
    public boolean hasDisplay() {
        return display;
    }

    @Override
    public boolean open(String address) {
        return display && show(address);
    }

    private boolean show(String address) {
        try {
            Path file = Files.createTempFile(folder, "lab-", ".html");
            file.toFile().deleteOnExit();
            Files.writeString(file, leadingTo(address.replace("&", "&amp;")));
            new ProcessBuilder(command, file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return true;
        } catch (IOException none) {
            return false;
        }
    }

    private static String leadingTo(String address) {
        return """
                <!doctype html>
                <meta charset="utf-8">
                <title>Tidegate</title>
                <meta http-equiv="refresh" content="0; url=%1$s">
                <a href="%1$s">To the lab</a>
                """.formatted(address);
    }
}

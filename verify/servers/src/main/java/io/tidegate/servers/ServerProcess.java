package io.tidegate.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The process of a server, known by the file in which the server writes its number. */
final class ServerProcess {
    private ServerProcess() {}

    /**
     * Kills the server without any shutdown: it is not notified and tidies nothing up. Returns when its helpers have
     * ended, too.
     */
    static void kill(Path numberFile) throws IOException {
        long number = Long.parseLong(Files.readAllLines(numberFile).get(0).trim());
        ProcessHandle process = ProcessHandle.of(number).orElseThrow();
        List<ProcessHandle> helpers = process.children().toList();
        process.destroyForcibly();
        process.onExit().join();
        helpers.forEach(helper -> helper.onExit().join());
    }
}

package io.tidegate.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs each example as a user does. */
class ExamplesTest {
    @TempDir
    private Path folder;

    @Test
    void plain_serviceGoesDownAndComesBack_guardSparesItAndLetsCallsInAgain() throws Exception {
        Example plain = Example.read("plain");

        List<String> printed = plain.run(folder);

        assertThat(Example.withoutNumbers(printed)).containsAll(Example.withoutNumbers(plain.printed()));
        assertThat(printed)
                .anyMatch(line -> line.startsWith("up   10 calls: 10 answered"))
                .anyMatch(line -> line.startsWith("down 40 calls:  0 answered"))
                .anyMatch(line -> line.startsWith("well 10 calls: 10 answered"))
                .contains("  state CLOSED");
    }

    @Test
    void orders_workerKilled_eachCustomersOrdersAreShippedInOrderAndOnce() throws Exception {
        Example orders = Example.read("orders");

        List<String> printed = orders.run(folder, Integer.toString(freePort()));

        assertThat(Example.withoutNumbers(printed)).containsAll(Example.withoutNumbers(orders.printed()));
        assertThat(printed)
                .filteredOn(line -> line.endsWith("[1, 2, 3, 4, 5, 6, 7, 8] in order, each once"))
                .hasSize(5);
    }

    /**
     * Returns a port that the system does not assign by itself, so that no other program takes it before the server.
     */
    private static int freePort() throws IOException {
        for (int port = 22_000; ; port++) {
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException taken) {
                continue;
            }
        }
    }
}

package io.tidegate.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/**
 * A process that shares a cap. Follows the orders on its input, each a line, one after the other, and ends with its
 * input.
 */
public final class CapWorkerMain {
    static final String DONE = "DONE";

    private CapWorkerMain() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        endWithParent();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            CapWorker.follow(CapOrder.parse(line), orders);
            System.out.println(DONE);
        }
        System.exit(0);
    }

    /** Ends this process if the tests were killed. */
    private static void endWithParent() {
        ProcessHandle.current()
                .parent()
                .orElseThrow()
                .onExit()
                .thenRun(() -> Runtime.getRuntime().halt(1));
    }
}

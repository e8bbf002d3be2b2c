package io.tidegate.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;

/**
 * A worker process. Follows the orders on its input, each a line, one after the other, and ends with its input. It
 * reports when it is ready, reads when the run began, and reports when it is done.
 */
public final class WorkerMain {
    /** Only the reports of this class go there. */
    private static final PrintStream REPORTS = System.out;

    private WorkerMain() {}

    /** Ends this process if the tests were killed. */
    private static void endWithParent() {
        ProcessHandle.current()
                .parent()
                .orElseThrow()
                .onExit()
                .thenRun(() -> Runtime.getRuntime().halt(1));
    }

    private static void report(WorkerProcess.Event.Kind what) {
        REPORTS.println(what + " " + System.nanoTime());
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        System.setOut(System.err);
        endWithParent();
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            Order order = Order.parse(line);
            Worker.Start start = () -> {
                report(WorkerProcess.Event.Kind.READY);
                return Long.parseLong(orders.readLine());
            };
            if (order.isByRunner()) {
                RunnerWorker.follow(order, start);
            } else {
                Worker.follow(order, start);
            }
            report(WorkerProcess.Event.Kind.DONE);
        }
        System.exit(0);
    }
}

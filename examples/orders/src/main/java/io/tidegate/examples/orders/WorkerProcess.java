package io.tidegate.examples.orders;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A {@link Worker} in a process of its own. */
final class WorkerProcess implements AutoCloseable {
    private final String name;
    private final Process process;
    private final Writer orders;
    private final BufferedReader acknowledgements;

    WorkerProcess(String name, URI warehouse, String database) throws IOException {
        this.name = name;
        this.process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Worker.class.getName(),
                        name,
                        warehouse.toString(),
                        database)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        this.orders = process.outputWriter();
        this.acknowledgements = process.inputReader();
    }

    String name() {
        return name;
    }

    /** Returns when the worker has acknowledged the order. */
    void hand(String customer, long order) throws IOException {
        orders.write(customer + " " + order + "\n");
        orders.flush();
        if (acknowledgements.readLine() == null) {
            throw new IOException(name + " has ended");
        }
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Ends its input, upon which it stops its runner and ends. */
    @Override
    public void close() throws IOException {
        try {
            if (process.isAlive()) {
                orders.close();
                process.onExit().completeOnTimeout(process, 1, TimeUnit.MINUTES).join();
            }
        } finally {
            kill();
        }
    }
}

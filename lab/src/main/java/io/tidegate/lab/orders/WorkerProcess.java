package io.tidegate.lab.orders;

import io.tidegate.lab.orders.OrderBook.Event;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link WorkerMain} in a separate process, and its reports. */
final class WorkerProcess {
    private static final int LIMIT_SECONDS = 300;

    private final String name;
    private final Process process;
    private final Writer orders;
    private final OrderBook book;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Thread reader;

    private WorkerProcess(String name, Process process, OrderBook book) {
        this.name = name;
        this.process = process;
        this.orders = process.outputWriter();
        this.book = book;
        this.reader = Thread.ofPlatform().daemon().name("lab-" + name).start(this::listen);
    }

    static WorkerProcess start(Store store, String leases, String name, OrderPlan plan, OrderBook book)
            throws IOException {
        ProcessBuilder worker = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx96m",
                        WorkerMain.class.getName(),
                        store.kind().name(),
                        store.address(),
                        leases,
                        name,
                        Long.toString(plan.work().toMillis()))
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        // In the environment, because the system may cut a long class path on a command line.
        worker.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        store.login().putInto(worker.environment());
        return new WorkerProcess(name, worker.start(), book);
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Whether it is alive and has reported that it is ready for orders. */
    boolean isReady() {
        return ready.getCount() == 0 && isAlive();
    }

    void awaitReady() throws IOException {
        try {
            if (!ready.await(LIMIT_SECONDS, TimeUnit.SECONDS) || !isAlive()) {
                throw new IOException(name + " has not started");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException(name + " was not waited for", stopped);
        }
    }

    /** Hands in an order; whether the leases have it now. */
    boolean offer(String customer, long order) {
        try {
            orders.write(customer + " " + order + "\n");
            orders.flush();
            return WorkerMain.TAKEN.equals(answers.poll(LIMIT_SECONDS, TimeUnit.SECONDS));
        } catch (IOException dead) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                hear(line.split(" ", -1));
            }
        } catch (IOException dead) {
            // The process reports nothing more.
        } finally {
            ready.countDown();
            answers.add(WorkerMain.NOT_TAKEN); // for a thread that waits in offer
        }
    }

    private void hear(String[] words) {
        switch (words[0]) {
            case WorkerMain.READY -> ready.countDown();
            case WorkerMain.TAKEN, WorkerMain.NOT_TAKEN -> answers.add(words[0]);
            default ->
                book.record(
                        name, Event.valueOf(words[0]), words[1], Long.parseLong(words[2]), Long.parseLong(words[3]));
        }
    }

    /** Kills the process as an operating system does, and reads the reports that it wrote before. */
    void kill() {
        process.destroyForcibly().onExit().join();
        try {
            reader.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.tidegate.processes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The instructions for a worker, as a line of text.
 *
 * @param port the port of the worker's proxy to the server
 * @param store a schema or a prefix
 * @param wallMillis the time of day by the clock of the process that gives the order
 * @param waitMillis how long to wait for an answer of the server
 * @param history the file for each call and each answer
 */
record Order(
        Engine engine,
        int port,
        String store,
        String owner,
        long leaseMillis,
        int maxRetries,
        Twin twin,
        long seed,
        long wallMillis,
        int resourcePort,
        long waitMillis,
        Path history) {
    static final String ATTEMPTS = ".attempts";
    static final String SIDE = ".side";
    static final String BOOKED = ".booked";

    private static final long MOST_PATIENT_MILLIS = 30_000;

    /** Two more than there are threads that work, as the guide demands. */
    private static final int CONNECTIONS_OF_RUNNER = RunnerWorker.THREADS + 2;

    String text() {
        return String.join(
                " ",
                engine.name(),
                Integer.toString(port),
                store,
                owner,
                Long.toString(leaseMillis),
                Integer.toString(maxRetries),
                twin.name(),
                Long.toString(seed),
                Long.toString(wallMillis),
                Integer.toString(resourcePort),
                Long.toString(waitMillis),
                history.toString());
    }

    /** Returns the order for a worker that waits twice as long for an answer, up to a limit. */
    Order morePatient() {
        return new Order(
                engine,
                port,
                store,
                owner,
                leaseMillis,
                maxRetries,
                twin,
                seed,
                wallMillis,
                resourcePort,
                Math.min(2 * waitMillis, MOST_PATIENT_MILLIS),
                history);
    }

    static Order parse(String text) {
        String[] words = text.split(" ", 12);
        return new Order(
                Engine.valueOf(words[0]),
                Integer.parseInt(words[1]),
                words[2],
                words[3],
                Long.parseLong(words[4]),
                Integer.parseInt(words[5]),
                Twin.valueOf(words[6]),
                Long.parseLong(words[7]),
                Long.parseLong(words[8]),
                Integer.parseInt(words[9]),
                Long.parseLong(words[10]),
                Path.of(words[11]));
    }

    /**
     * Returns the file that exists once no more faults come. A worker goes on until then, so that each fault hits work.
     */
    static Path end(Path records) {
        return records.resolve("end");
    }

    boolean mayEnd() {
        return Files.exists(history.resolveSibling(end(Path.of(""))));
    }

    /** Returns the file that exists once one worker should stop, as a service does in a deployment. */
    static Path stop(Path records, String owner) {
        return records.resolve(owner + ".stop");
    }

    boolean isToStop() {
        return Files.exists(stop(history.getParent(), owner));
    }

    /** Returns the file for another kind of records than the history. */
    Path recordsOf(String kind) {
        return history.resolveSibling(owner + kind);
    }

    /**
     * Whether a runner decides what the worker asks for. True for every other seed, in all combinations with the other
     * choices that depend on the seed.
     */
    static boolean isByRunner(long seed, Twin twin) {
        return twin == Twin.NONE && (seed + seed / 4) % 2 == 1;
    }

    boolean isByRunner() {
        return isByRunner(seed, twin);
    }

    /** Returns how many connections a pool has: the least possible number. */
    int connections() {
        return isByRunner() ? CONNECTIONS_OF_RUNNER : 1;
    }

    Duration leaseDuration() {
        return Duration.ofMillis(leaseMillis);
    }

    /** Returns how far this process's clock is ahead of the clock of the process that gave the order, to the minute. */
    long clockAheadMillis() {
        long minute = Duration.ofMinutes(1).toMillis();
        return Math.round((double) (System.currentTimeMillis() - wallMillis) / minute) * minute;
    }
}

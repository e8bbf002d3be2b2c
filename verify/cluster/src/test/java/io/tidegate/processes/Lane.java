package io.tidegate.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/** A server and its worker processes, which do one run after the other: starting them takes longer than a run. */
final class Lane implements AutoCloseable {
    static final int SLOTS = 3;

    private static final String DATA = "data";

    private final Engine engine;
    private final Path folder;
    private final Server server;
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<WorkerProcess> processes = new CopyOnWriteArrayList<>();
    private final BlockingQueue<WorkerProcess.Event> events = new LinkedBlockingQueue<>();
    private final Path jar;
    private final Thread atExit = new Thread(() -> processes.forEach(WorkerProcess::kill));
    private int runs;

    /**
     * Starts the server and the processes.
     *
     * @param jar the class path of the workers
     */
    Lane(Engine engine, Path jar, Path folder) throws IOException {
        this.engine = engine;
        this.jar = jar;
        this.folder = Files.createDirectories(folder);
        this.server = engine.start(Files.createDirectories(folder.resolve(DATA)));
        Runtime.getRuntime().addShutdownHook(atExit);
        for (int slot = 0; slot < SLOTS; slot++) {
            proxies.add(new FaultProxy(server.port()));
            processes.add(start(slot));
        }
    }

    private WorkerProcess start(int slot) throws IOException {
        return new WorkerProcess(slot, jar, folder, events::add);
    }

    /** Runs a seed, and returns the result. If something went wrong, its record stays. */
    Verdict run(long seed, Twin twin) throws IOException, InterruptedException {
        String store = "run" + runs++;
        Path records = Files.createDirectories(folder.resolve(store));
        server.createStore(store, twin);
        try (FencedResource resource = new FencedResource()) {
            Verdict verdict = new Run(this, seed, twin, store, records, resource).verdict();
            if (verdict.breach().isEmpty()) {
                delete(records);
            }
            server.dropStore(store);
            return verdict;
        }
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    Engine engine() {
        return engine;
    }

    Server server() {
        return server;
    }

    FaultProxy proxy(int slot) {
        return proxies.get(slot);
    }

    WorkerProcess process(int slot) {
        return processes.get(slot);
    }

    BlockingQueue<WorkerProcess.Event> events() {
        return events;
    }

    /** Starts another process in place of this one, which has ended or is no longer usable. */
    WorkerProcess replace(WorkerProcess process) throws IOException {
        process.close();
        WorkerProcess fresh = start(process.slot());
        processes.set(process.slot(), fresh);
        return fresh;
    }

    @Override
    public void close() throws IOException {
        for (WorkerProcess process : processes) {
            process.close();
        }
        Runtime.getRuntime().removeShutdownHook(atExit);
        for (FaultProxy proxy : proxies) {
            proxy.close();
        }
        server.close();
        delete(folder.resolve(DATA));
    }
}

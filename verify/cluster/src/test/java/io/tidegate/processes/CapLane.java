package io.tidegate.processes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A server and the processes that share caps on it, used for one run after the other. */
final class CapLane implements AutoCloseable {
    static final int SLOTS = 3;

    /** How far the clock of each slot is ahead. */
    private static final List<Duration> SHIFTS = List.of(Duration.ZERO, Duration.ofHours(1), Duration.ofHours(-1));

    private static final String DATA = "data";

    private final Engine engine;
    private final Path jar;
    private final Path folder;
    private final Server server;
    private final List<FaultProxy> proxies = new ArrayList<>();
    private final List<CapProcess> processes = new CopyOnWriteArrayList<>();
    private final Thread atExit = new Thread(() -> processes.forEach(CapProcess::kill));
    private int runs;

    /** @param jar the class path of the workers */
    CapLane(Engine engine, Path jar, Path folder) throws IOException {
        this.engine = engine;
        this.jar = jar;
        this.folder = folder;
        this.server = engine.start(Files.createDirectories(folder.resolve(DATA)));
        Runtime.getRuntime().addShutdownHook(atExit);
        for (int slot = 0; slot < SLOTS; slot++) {
            proxies.add(new FaultProxy(server.port()));
            processes.add(start(slot));
        }
    }

    private CapProcess start(int slot) throws IOException {
        return new CapProcess(jar, folder, SHIFTS.get(slot));
    }

    /** Returns what went wrong, and where it is recorded; empty if nothing did. */
    Optional<String> run(long seed, CapTwin twin) throws IOException, InterruptedException {
        String name = "cap" + runs++;
        Path records = Files.createDirectories(folder.resolve(name));
        server.createStore(name, Twin.NONE);
        if (engine != Engine.REDIS) {
            CapClient.createTables(server.port(), name);
        }
        Optional<String> breach = new CapRun(this, seed, twin, name, records).breach();
        server.dropStore(name);
        if (breach.isEmpty()) {
            Lane.delete(records);
        }
        return breach;
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

    CapProcess process(int slot) {
        return processes.get(slot);
    }

    List<Long> pids() {
        return processes.stream().map(CapProcess::pid).toList();
    }

    void sendAll(String line) {
        processes.forEach(process -> process.send(line));
    }

    /** Kills the process in this slot, and starts another one. */
    void replace(int slot) throws IOException {
        processes.get(slot).close();
        processes.set(slot, start(slot));
    }

    void replaceAll() throws IOException {
        for (int slot = 0; slot < SLOTS; slot++) {
            replace(slot);
        }
    }

    String errors() {
        return processes.stream().map(CapProcess::errors).collect(Collectors.joining("\n"));
    }

    @Override
    public void close() throws IOException {
        processes.forEach(CapProcess::close);
        Runtime.getRuntime().removeShutdownHook(atExit);
        for (FaultProxy proxy : proxies) {
            proxy.close();
        }
        server.close();
        Lane.delete(folder.resolve(DATA));
    }
}

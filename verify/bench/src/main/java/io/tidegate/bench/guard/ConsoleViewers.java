package io.tidegate.bench.guard;

import io.tidegate.Registry;
import io.tidegate.console.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.concurrent.CountDownLatch;

/** A console, and connections that read everything it sends until it is closed. */
record ConsoleViewers(Console console) implements AutoCloseable {
    /** Opens the viewers. Returns when each has got something: then all parts were read. */
    static ConsoleViewers look(Registry registry, int viewers) {
        Console console = Console.builder(registry).port(0).start();
        URI stream = URI.create(console.url() + "api/stream");
        CountDownLatch served = new CountDownLatch(viewers);
        for (int i = 0; i < viewers; i++) {
            Thread.ofPlatform().daemon().name("viewer-" + i).start(() -> read(stream, served));
        }
        try {
            served.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException("not looked at", stopped);
        }
        return new ConsoleViewers(console);
    }

    private static void read(URI stream, CountDownLatch served) {
        byte[] frames = new byte[8 * 1024];
        try (InputStream from = stream.toURL().openStream()) {
            int length = from.read(frames);
            served.countDown();
            while (length >= 0) {
                length = from.read(frames);
            }
        } catch (IOException closed) {
            if (served.getCount() > 0) {
                throw new UncheckedIOException(closed);
            }
        }
    }

    @Override
    public void close() {
        console.close();
    }
}

package io.tidegate.spring;

import io.tidegate.Registry;
import io.tidegate.console.Console;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * Runs the console as long as the application. It starts first and stops last, so that users can watch the application
 * start and stop.
 */
final class ConsoleLifecycle implements SmartLifecycle {
    private static final Log LOG = LogFactory.getLog(ConsoleLifecycle.class);
    private static final String PREFIX = "tidegate.console.";

    private final Console.Builder builder;
    private final int port;
    private volatile @Nullable Console console;

    /**
     * Checks the settings.
     *
     * @throws BadPropertyException for the first setting that is not as expected
     */
    ConsoleLifecycle(Registry registry, TidegateProperties.Console settings) {
        this.builder = Console.builder(registry);
        this.port = settings.port();
        set("port", settings.port(), () -> builder.port(settings.port()));
        String token = settings.token();
        if (token != null) {
            set("token", "(not shown)", () -> builder.controlToken(token));
        }
        set("path", settings.path(), () -> builder.path(settings.path()));
        set("hosts", settings.hosts(), () -> builder.hosts(settings.hosts().toArray(String[]::new)));
        String address = settings.address();
        if (address != null) {
            builder.address(address(address));
        }
    }

    private static void set(String name, Object value, Runnable setting) {
        try {
            setting.run();
        } catch (IllegalArgumentException bad) {
            throw new BadPropertyException(PREFIX + name, value, BadPropertyException.expectedIn(bad));
        }
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException unknown) {
            throw new BadPropertyException(PREFIX + "address", text, "an address of this machine, such as 127.0.0.1");
        }
    }

    /** Returns the address of the page; empty while the console does not run. */
    String url() {
        Console running = console;
        return running == null ? "" : running.url();
    }

    @Override
    public void start() {
        if (console == null) {
            try {
                console = builder.start();
            } catch (UncheckedIOException taken) {
                throw new BadPropertyException(
                        PREFIX + "port", port, "a port that is free on the address, and an address of this machine");
            }
            LOG.info("Console of Tidegate: " + url());
        }
    }

    @Override
    public void stop() {
        Console running = console;
        console = null;
        if (running != null) {
            running.close();
        }
    }

    @Override
    public boolean isRunning() {
        return console != null;
    }

    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }
}

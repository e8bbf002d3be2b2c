package io.tidegate.console;

import io.tidegate.Registry;
import io.tidegate.console.panel.Panel;
import java.net.InetAddress;

/**
 * A live page of the parts of a registry, served over HTTP.
 *
 * <pre>{@code
 * try (Console console = Console.builder(registry).start()) {
 *     System.out.println(console.url());
 * }
 * }</pre>
 *
 * <p>Listens on the loopback address by default. Without a token it only shows parts; with one, requests that carry the
 * token can also change them. Callers of the parts never wait for it, however slow its viewers are.
 */
public interface Console extends AutoCloseable {
    /** Returns a builder of a console for {@code registry}. */
    static Builder builder(Registry registry) {
        return new ConsoleBuilder(registry);
    }

    /** Returns the address of the page, with a slash at the end. */
    String url();

    /** Ends all connections and frees the port. Calling it again does nothing. */
    @Override
    void close();

    /** Sets up a console. Settings are checked when they are given. */
    interface Builder {
        /** Sets the port; 0 for any free port. Default: {@value ConsoleBuilder#DEFAULT_PORT}. */
        Builder port(int port);

        /** Sets the address to listen on. Default: the loopback address. */
        Builder address(InetAddress address);

        /** Sets the token that control needs. Default: none, and nothing can be changed. */
        Builder controlToken(String token);

        /** Sets a prefix of all paths of the console, such as {@code "/ops"}. Default: none. */
        Builder path(String prefix);

        /** Adds host names that viewers may use besides the address: that of a proxy, with its port if it has one. */
        Builder hosts(String... names);

        /** Adds a view that another module of the program brings along. */
        Builder panel(Panel panel);

        /**
         * Starts the console.
         *
         * @throws java.io.UncheckedIOException if the port is taken or cannot be opened
         */
        Console start();
    }
}

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
 * <p>Listens on the loopback address unless told otherwise. It shows; it changes nothing unless a token was given, and
 * then only for requests that have it. Those who use the parts pay nothing for it, however slow its viewers are.
 */
public interface Console extends AutoCloseable {
    /** Returns a builder of a console for {@code registry}. */
    static Builder builder(Registry registry) {
        return new ConsoleBuilder(registry);
    }

    /** Where the page is: a full address that ends in a slash. */
    String url();

    /** Ends all connections and frees the port; again: nothing. */
    @Override
    void close();

    /** Sets up a console. Settings are checked when they are given. */
    interface Builder {
        /** The port; 0 for any that is free. {@value ConsoleBuilder#DEFAULT_PORT} unless set. */
        Builder port(int port);

        /** The address to listen on; the loopback address unless set. */
        Builder address(InetAddress address);

        /** The token that control needs. Without one nothing can be changed. */
        Builder controlToken(String token);

        /** A path that all paths of the console begin with, such as {@code "/ops"}; none unless set. */
        Builder path(String prefix);

        /** Names by which viewers may call this host beside its address: that of a proxy, with its port if it has one. */
        Builder hosts(String... names);

        /** A view of the lab's own. */
        Builder panel(Panel panel);

        /**
         * Starts it.
         *
         * @throws java.io.UncheckedIOException if the port is taken or cannot be opened
         */
        Console start();
    }
}

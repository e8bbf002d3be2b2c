package io.tidegate.console;

import static java.util.Objects.requireNonNull;

import io.tidegate.Registry;
import io.tidegate.console.panel.Panel;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects settings and checks them. */
final class ConsoleBuilder implements Console.Builder {
    /** The port unless set. */
    static final int DEFAULT_PORT = 7878;

    final Registry registry;
    int port = DEFAULT_PORT;
    InetAddress address = InetAddress.getLoopbackAddress();

    @Nullable
    String controlToken;

    String path = "";
    List<String> hosts = List.of();

    @Nullable
    Panel panel;

    ConsoleBuilder(Registry registry) {
        this.registry = requireNonNull(registry, "registry");
    }

    @Override
    public Console.Builder port(int port) {
        this.port = port;
        return this;
    }

    @Override
    public Console.Builder address(InetAddress address) {
        this.address = requireNonNull(address, "address");
        return this;
    }

    @Override
    public Console.Builder controlToken(String token) {
        this.controlToken = requireNonNull(token, "token");
        return this;
    }

    @Override
    public Console.Builder path(String prefix) {
        this.path = requireNonNull(prefix, "prefix");
        return this;
    }

    @Override
    public Console.Builder hosts(String... names) {
        this.hosts = List.of(names);
        return this;
    }

    @Override
    public Console.Builder panel(Panel panel) {
        this.panel = requireNonNull(panel, "panel");
        return this;
    }

    @Override
    public Console start() {
        throw new UnsupportedOperationException();
    }
}

package io.tidegate.console;

import static java.util.Objects.requireNonNull;

import io.tidegate.Registry;
import io.tidegate.console.panel.Panel;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Collects settings and checks them. */
final class ConsoleBuilder implements Console.Builder {
    /** The port if none is set. */
    static final int DEFAULT_PORT = 7878;

    private static final Logger LOG = System.getLogger(Console.class.getName());
    private static final int SHORT_TOKEN = 16;

    final Registry registry;
    int port = DEFAULT_PORT;
    InetAddress address = InetAddress.getLoopbackAddress();

    @Nullable
    String controlToken;

    String path = "";
    List<Authority> hosts = List.of();

    @Nullable
    Panel panel;

    /** For tests: the clock that limits floods. */
    LongSupplier ticker = System::nanoTime;

    /** For tests: how long a client may keep a thread waiting. */
    Duration patience = Duration.ofSeconds(Workers.PATIENCE_SECONDS);

    ConsoleBuilder(Registry registry) {
        this.registry = requireNonNull(registry, "registry");
    }

    @Override
    public Console.Builder port(int port) {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 0 to 65535)");
        }
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
        boolean canBeSent =
                !requireNonNull(token, "token").isEmpty() && token.chars().allMatch(c -> c > ' ' && c < 0x7f);
        if (!canBeSent) { // not in the message, because it may be almost the secret
            throw new IllegalArgumentException("token: of " + token.length()
                    + " characters (expected: letters, digits and signs of ASCII without spaces)");
        }
        if (token.length() < SHORT_TOKEN) {
            LOG.log(Level.WARNING, "The token of the console is short, and can be guessed: use 32 random characters");
        }
        this.controlToken = token;
        return this;
    }

    @Override
    public Console.Builder path(String prefix) {
        if (!requireNonNull(prefix, "prefix").matches("|/|(/[A-Za-z0-9._~-]*[A-Za-z0-9_~-])+/?")) {
            throw new IllegalArgumentException("path: " + prefix + " (expected: such as /ops or /ops/tidegate)");
        }
        this.path = prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix;
        return this;
    }

    @Override
    public Console.Builder hosts(String... names) {
        List<Authority> checked = new ArrayList<>();
        for (String name : names) {
            Authority host = Authority.parse(requireNonNull(name, "names"));
            if (host == null) {
                throw new IllegalArgumentException(
                        "hosts: " + name + " (expected: such as ops.example.org or ops.example.org:8443)");
            }
            checked.add(host);
        }
        this.hosts = List.copyOf(checked);
        return this;
    }

    @Override
    public Console.Builder panel(Panel panel) {
        this.panel = requireNonNull(panel, "panel");
        return this;
    }

    @Override
    public Console start() {
        ConsoleServer console = new ConsoleServer(this);
        console.start();
        return console;
    }
}

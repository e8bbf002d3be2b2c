package io.tidegate.lab.play;

import static java.util.Objects.requireNonNull;

import io.tidegate.Registry;
import io.tidegate.console.Console;
import io.tidegate.lab.load.AtExit;
import io.tidegate.lab.load.Time;
import io.tidegate.lab.orders.Store;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Consumer;

/** The lab's page, from its start to its end. */
public final class Page {
    private static final String OPENING =
            "A real service under real load on this machine, and a page on which you push it over the edge and"
                    + " watch each part keep it standing. Ctrl-C ends it.";
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final int TOKEN_BYTES = 24;

    private final Store store;
    private final int port;
    private final Optional<String> tour;
    private final Browser browser;
    private final PrintStream out;

    /**
     * Sets one up.
     *
     * @param store where leases are kept
     * @param port where it is; 0 for any port that is free
     * @param tour what it walks, and ends with
     * @param browser what shows it
     * @param out where it says what it does
     */
    public Page(Store store, int port, Optional<String> tour, Browser browser, PrintStream out) {
        this.store = store;
        this.port = port;
        this.tour = tour;
        this.browser = browser;
        this.out = out;
    }

    /**
     * Starts it, and returns when its tour is over; without a tour never.
     *
     * @throws InterruptedException if this thread is interrupted; everything is stopped by then
     */
    public void run() throws IOException, InterruptedException {
        out.println(OPENING);
        run(this::say);
    }

    private void say(String address) {
        out.println();
        out.println("  " + address);
        out.println();
        out.println(
                browser.open(address)
                        ? "It opens in your browser; if not, open this address."
                        : "Open this address in a browser. Anyone who has it can use the lab; nobody else can.");
    }

    /** Starts it, tells where it is, and returns when its tour is over. */
    @SuppressWarnings("try") // what ends it is not asked for anything
    void run(Consumer<String> started) throws IOException, InterruptedException {
        store.check();
        String token = token();
        Registry registry = new Registry();
        Playground playground = Playground.start(registry, store);
        try (AtExit ending = new AtExit(playground::close);
                Console console = console(registry, playground, token)) {
            tour.ifPresent(playground::tour);
            started.accept(console.url() + "#token=" + token + "&/panel");
            await(playground);
        } catch (UncheckedIOException portTaken) {
            throw new IOException(
                    "--port: " + port + " (expected: one that is free): "
                            + requireNonNull(portTaken.getCause()).getMessage(),
                    portTaken);
        }
    }

    private Console console(Registry registry, Playground playground, String token) {
        return Console.builder(registry)
                .port(port)
                .controlToken(token)
                .panel(playground)
                .start();
    }

    private static String token() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private void await(Playground playground) throws InterruptedException {
        String said = "";
        boolean over = false;
        while (!over) {
            Time.SYSTEM.sleep(LOOK.toNanos());
            over = tour.isPresent() && playground.isTourOver(); // asked first, so that its last words are printed
            String says = playground.says();
            if (tour.isPresent() && !says.equals(said)) {
                out.println(says);
                said = says;
            }
        }
    }
}

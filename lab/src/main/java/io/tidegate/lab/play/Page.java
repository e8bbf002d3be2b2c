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
     * Makes a page.
     *
     * @param store where leases are kept
     * @param port the port of the page; 0 for any free port
     * @param tour the tour to play before the page ends
     * @param browser the browser to open
     * @param out for messages
     */
    public Page(Store store, int port, Optional<String> tour, Browser browser, PrintStream out) {
        this.store = store;
        this.port = port;
        this.tour = tour;
        this.browser = browser;
        this.out = out;
    }

    /**
     * Starts the page, and returns when its tour is over; without a tour it never returns.
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

    /** Starts the page, passes its address on, and returns when its tour is over. */
    @SuppressWarnings("try") // the resource is only closed
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
            // read before the text, so that the last step is printed
            over = tour.isPresent() && playground.isTourOver();
            String says = playground.says();
            if (tour.isPresent() && !says.equals(said)) {
                out.println(says);
                said = says;
            }
        }
    }
}

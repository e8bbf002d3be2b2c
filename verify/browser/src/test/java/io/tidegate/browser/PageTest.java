package io.tidegate.browser;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.TimeoutError;
import io.tidegate.Part;
import io.tidegate.Registry;
import io.tidegate.console.Console;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A console, and its page in a browser. In every test the page must send requests to its console only, and the browser
 * must report no error.
 */
@ExtendWith(Chromium.Provider.class)
abstract class PageTest {
    static final String TOKEN = "a-token-that-nobody-guesses";

    /** Ends a hanging test. */
    static final double PATIENCE_MILLIS = 120_000;

    private static final int FIRST_PORT = 15_000;
    private static final int PORTS = 1_000;

    /** The browser's complaints, except the answers of a console that is unreachable or refuses. */
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();

    private final Queue<String> requests = new ConcurrentLinkedQueue<>();

    /** Beginnings of complaints that the test itself causes. */
    final Queue<String> expected = new ConcurrentLinkedQueue<>();

    private @Nullable Browser browser;
    private final List<Console> consoles = new ArrayList<>();
    private final List<BrowserContext> contexts = new ArrayList<>();
    private @Nullable ScriptedStream stream;

    @BeforeEach
    final void take(Browser started) {
        browser = started;
    }

    /** Starts a console with control, on a port that the system does not assign. */
    final Console start(Registry registry) {
        for (int port = FIRST_PORT; port < FIRST_PORT + PORTS; port++) {
            try {
                return start(Console.builder(registry).port(port).controlToken(TOKEN));
            } catch (UncheckedIOException taken) {
                // the port is taken: the next one
            }
        }
        throw new IllegalStateException("ports: all taken (expected: one of " + PORTS + " from " + FIRST_PORT + ")");
    }

    final Console start(Console.Builder builder) {
        Console started = builder.start();
        consoles.add(started);
        return started;
    }

    /** Opens a page with the width of a laptop. */
    final Page open(String url) {
        return open(url, new Browser.NewContextOptions().setViewportSize(1280, 900));
    }

    final Page open(String url, Browser.NewContextOptions options) {
        Page page = prepare(options);
        page.navigate(url);
        live(page);
        return page;
    }

    /** Makes a page without an address. */
    final Page prepare(Browser.NewContextOptions options) {
        BrowserContext opened = requireNonNull(browser).newContext(options);
        contexts.add(opened);
        opened.setDefaultTimeout(PATIENCE_MILLIS);
        opened.onConsoleMessage(message -> {
            if (message.type().equals("error") || message.type().equals("warning")) {
                complaints.add(message.text());
            }
        });
        opened.onWebError(error -> complaints.add(error.error()));
        opened.onRequest(request -> requests.add(request.url()));
        opened.addInitScript("window.violations = [];"
                + "document.addEventListener('securitypolicyviolation', event =>"
                + " window.violations.push(event.violatedDirective + ' ' + event.blockedURI));");
        return opened.newPage();
    }

    /** Lets the test send frames to a page without an address, in place of its console. */
    final ScriptedStream stream(Page page) {
        ScriptedStream made = new ScriptedStream(page);
        stream = made;
        return made;
    }

    final ScriptedStream stream() {
        return requireNonNull(stream, "stream");
    }

    /** Waits until the page has got a frame from its console. */
    static void live(Page page) {
        page.locator("#link[data-link=live]").waitFor();
    }

    /** Makes a page believe that its tab is hidden, or in view again. */
    static void hide(Page page, boolean hidden) {
        page.evaluate("""
                hidden => {
                  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
                  document.dispatchEvent(new Event('visibilitychange'));
                }""", hidden);
    }

    /** Shows another view by its address. */
    static void go(Page page, String address) {
        page.evaluate("address => { location.hash = address; }", address);
    }

    /** Shows a part, and waits for its title. */
    static void go(Page page, Part part) {
        go(page, address(part));
        page.locator(".title h1", new Page.LocatorOptions().setHasText(part.name()))
                .waitFor();
        page.locator(".title .kind", new Page.LocatorOptions().setHasText(part.kind()))
                .waitFor();
    }

    static String address(Part part) {
        return "#/part/" + encoded(part.kind()) + "/" + encoded(part.name());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Waits until the condition holds. */
    static void await(Page page, BooleanSupplier wanted) {
        page.waitForCondition(wanted, new Page.WaitForConditionOptions().setTimeout(PATIENCE_MILLIS));
    }

    /** Waits until two values that change are equal; if they stay different, reports how. */
    static <T> void awaitEqual(Page page, Supplier<T> shown, Supplier<T> expected) {
        try {
            await(page, () -> shown.get().equals(expected.get()));
        } catch (TimeoutError late) {
            assertThat(shown.get()).isEqualTo(expected.get());
        }
    }

    static Locator button(Page page, String name) {
        return page.locator("button", new Page.LocatorOptions().setHasText(name));
    }

    /** Returns the rows of the table of measures as the page draws them. */
    @SuppressWarnings("unchecked")
    static Map<String, List<String>> rows(Page page) {
        return (Map<String, List<String>>) page.evaluate("() => Object.fromEntries("
                + "[...document.querySelectorAll('.measures tbody tr')].map(row => [row.dataset.measure,"
                + " [2, 4, 5, 6].map(cell => row.children[cell].textContent)]))");
    }

    @AfterEach
    final void close() {
        ScriptedStream made = stream;
        for (BrowserContext opened : contexts) {
            String violations = opened.pages().stream()
                    .map(page -> page.evaluate("window.violations.join()").toString())
                    .collect(Collectors.joining());
            opened.close();
            assertThat(violations)
                    .as("what the content security policy stopped")
                    .isEmpty();
        }
        if (made != null) {
            made.close();
        }
        consoles.forEach(Console::close);
        assertThat(requests)
                .as("all requests")
                .allMatch(url -> consoles.stream().anyMatch(console -> url.startsWith(console.url())));
        assertThat(complaints)
                .as("what the browser complains of")
                .allMatch(complaint -> expected.stream().anyMatch(complaint::startsWith));
    }
}

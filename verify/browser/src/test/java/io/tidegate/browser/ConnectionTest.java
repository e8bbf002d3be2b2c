package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import io.tidegate.Registry;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.console.Console;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A console that becomes unreachable and comes back. */
class ConnectionTest extends PageTest {
    private static final long TIME = 1_763_300_000_000L;
    private static final int DRAWING_MILLIS = 50;

    /** Counts the frames that the page has got. */
    private static final String COUNT = """
            window.heard = 0;
            const Source = window.EventSource;
            window.EventSource = class extends Source {
              constructor(...given) {
                super(...given);
                ['parts', 'change', 'alive', 'error']
                    .forEach(event => this.addEventListener(event, () => window.heard++));
              }
            };
            """;

    /** Opens a page that has just got a frame, and whose time stands still until the test moves it on. */
    private Page openStopped() {
        Page page = prepare(new Browser.NewContextOptions().setViewportSize(1280, 900));
        page.addInitScript(COUNT);
        page.clock().install();
        stream(page).first(parts(TIME));
        page.navigate(start(new Registry()).url());
        live(page);
        page.clock().pauseAt((long) (double) page.evaluate("Date.now()") + 5_000);
        hear(page, () -> stream().send("change", frame(TIME)));
        assertThat(link(page)).isEqualTo("Live");
        return page;
    }

    private static String parts(long time) {
        return """
                {"time": %d, "parts": [{"id": 1, "kind": "bulkhead", "name": "prices",
                 "measures": [{"measure": "in.flight", "type": "gauge", "value": 3}]}]}""".formatted(time);
    }

    private static String frame(long time) {
        return "{\"time\": %d}".formatted(time);
    }

    /** Runs an action that sends the page something, and waits until the page has got and drawn it. */
    private static void hear(Page page, Runnable action) {
        int before = (int) page.evaluate("window.heard");
        action.run();
        await(page, () -> (int) page.evaluate("window.heard") > before);
        page.clock().runFor(DRAWING_MILLIS);
    }

    private static void pass(Page page, long millis) {
        page.clock().fastForward(millis);
        page.clock().runFor(DRAWING_MILLIS);
    }

    private static String link(Page page) {
        return page.locator("#link").textContent();
    }

    /** Returns what the page says about its connection; empty if all is well. */
    private static String warning(Page page) {
        return page.locator("#lost").isVisible() ? page.locator("#lost-text").textContent() : "";
    }

    private static String clock(Page page, long time) {
        return page.evaluate("time => new Date(time).toLocaleTimeString('en-GB')", (double) time)
                .toString();
    }

    @Test
    @DisplayName("CN-4 a console that only says that it is alive is not lost; the page says since when values are old")
    void alive_withoutFrames_isNotLostButOld() {
        Page page = openStopped();
        pass(page, 10_000);
        hear(page, () -> stream().send("alive", "{}"));
        assertThat(link(page)).isEqualTo("Live");
        assertThat(warning(page)).isEmpty();
        for (int i = 0; i < 3; i++) {
            pass(page, 15_000);
            hear(page, () -> stream().send("alive", "{}"));
            assertThat(link(page)).isEqualTo("Nothing new");
            assertThat(warning(page))
                    .startsWith("Values are old. You see how things were at " + clock(page, TIME) + ";");
        }

        hear(page, () -> stream().send("change", frame(TIME + 60_000)));
        assertThat(link(page)).isEqualTo("Live");
        assertThat(warning(page)).isEmpty();

        pass(page, 20_000);
        assertThat(link(page)).as("after silence").isEqualTo("Connection lost");
        assertThat(warning(page))
                .startsWith("Connection lost. You see how things were at " + clock(page, TIME + 60_000));
    }

    @Test
    @DisplayName("CN-4 a console that is back but has sent nothing yet is not lost, and not live")
    void alive_afterAnEnd_isConnecting() {
        Page page = openStopped();
        stream().first(null);
        hear(page, stream()::cut);
        assertThat(link(page)).isEqualTo("Connection lost");

        pass(page, 1_000);
        await(page, stream()::hasViewer);
        hear(page, () -> stream().send("alive", "{}"));
        assertThat(link(page)).isEqualTo("Connecting");
        assertThat(page.locator(".card").count()).isEqualTo(1);
        pass(page, 15_000);
        assertThat(link(page)).isEqualTo("Nothing new");
        assertThat(warning(page)).contains(clock(page, TIME));

        hear(page, () -> stream().send("parts", parts(TIME + 30_000)));
        assertThat(link(page)).isEqualTo("Live");
        assertThat(warning(page)).isEmpty();

        pass(page, 15_000);
        assertThat(warning(page)).isNotEmpty();
        page.clock().resume();
        AccessibilityTest.judge(page, "old");
    }

    @Test
    @DisplayName("CN-4 a lost connection is shown, and heals by itself, with the present values")
    void close_andStartAgain_isShownAndHeals() {
        expected.add("Failed to load resource: net::ERR_");
        Registry registry = new Registry();
        AsyncBulkhead old = registry.add(AsyncBulkhead.builder(3).name("old").build());
        Console console = start(registry);
        int port = URI.create(console.url()).getPort();
        Page page = open(console.url());
        page.locator(".card").waitFor();
        assertThat(page.locator("#lost").isVisible()).isFalse();

        console.close();
        page.locator("#lost").waitFor();
        assertThat(page.locator("#link").textContent()).isEqualTo("Connection lost");
        assertThat(page.locator("#lost-text").textContent()).contains("You see how things were at");
        assertThat(page.locator(".card").count()).isEqualTo(1);

        registry.remove(old);
        registry.add(AsyncBulkhead.builder(5).name("new").build());
        start(Console.builder(registry).port(port));
        live(page);
        await(page, () -> page.locator(".card a").allTextContents().equals(List.of("new")));
        assertThat(page.locator("#lost").isVisible()).isFalse();
    }

    private static String breaker(long time, String state, int refused) {
        String frame = """
                {"time": %d, "parts": [{"id": 1, "kind": "breaker", "name": "prices", "measures": [
                 {"measure": "state", "type": "state", "value": "%s"},
                 {"measure": "refused", "type": "count", "tags": {"code": "CB_OPEN"}, "value": %d}]}]}""";
        return frame.formatted(time, state, refused);
    }

    @Test
    @DisplayName("CN-4 what was counted while the page was away is no sudden rise, and lines have a gap there")
    void back_afterLong_ratesAreTrueAndLinesHaveAGap() {
        Page page = prepare(new Browser.NewContextOptions().setViewportSize(1280, 900));
        ScriptedStream stream = stream(page);
        stream.first(breaker(TIME, "CLOSED", 0));
        page.navigate(start(new Registry()).url() + "#/part/breaker/prices");
        live(page);
        stream.send("change", frame(TIME + 1_000));
        stream.first(breaker(TIME + 101_000, "OPEN", 1_000));
        stream.cut();
        page.locator(".story li", new Page.LocatorOptions().setHasText("OPEN")).waitFor();

        assertThat(page.locator("[data-measure^=refused] td:nth-child(4)").textContent())
                .isEqualTo("10/s");
        assertThat(page.locator(".band .gaps rect").count()).isEqualTo(1);
        assertThat(page.evaluate("Chart.getChart(document.querySelector('canvas[aria-label^=Refused]'))"
                        + ".data.datasets[0].data.filter(point => point.y !== null && point.x > -99 && point.x < -1)"
                        + ".length"))
                .as("points in the gap")
                .isEqualTo(0);
        stream.send("change", frame(TIME + 111_000));
        page.locator(
                        "[data-measure^=refused] td:nth-child(4)",
                        new Page.LocatorOptions().setHasText(Pattern.compile("^0/s$")))
                .waitFor();
    }

    @Test
    @DisplayName("CN-4 behind a path prefix every view works, as all addresses are relative")
    void path_prefix_everyViewWorks() {
        try (Shop shop = new Shop()) {
            Console console = start(Console.builder(shop.registry).port(0).path("/ops/tidegate"));
            Page page = open(console.url());
            assertThat(page.url()).contains("/ops/tidegate/");
            go(page, shop.tenants);
            page.locator(".groups [data-group=tenant-1]").waitFor();
            page.locator(".plot canvas").first().waitFor();
        }
    }
}

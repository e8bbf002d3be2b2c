package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.Registry;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Parts that cannot be read. */
class UnreadTest extends PageTest {
    private static final String SINCE = "not read since \\d\\d:\\d\\d:\\d\\d";

    private static final class Shy implements Part {
        private volatile boolean hides;

        @Override
        public String name() {
            return "shy";
        }

        @Override
        public String kind() {
            return "breaker";
        }

        @Override
        public void read(Reading to) {
            if (hides) {
                throw new IllegalStateException("not now");
            }
            to.state("state", "OPEN");
            to.gauge("in.flight", 7);
            to.gauge("limit", 10);
            to.count("refused", 12, "code", "CB_OPEN");
        }
    }

    private static Page.LocatorOptions text(String pattern) {
        return new Page.LocatorOptions().setHasText(Pattern.compile(pattern));
    }

    private static String style(Page page, String selector, String property) {
        return page.locator(selector)
                .first()
                .evaluate("(node, property) => getComputedStyle(node)[property]", property)
                .toString();
    }

    @Test
    @DisplayName(
            "CN-4 a part that cannot be read is marked as such wherever it is, with its last values, until it can be")
    void read_throws_isMarkedEverywhere() {
        Shy shy = new Shy();
        Registry registry = new Registry();
        registry.add(shy);
        Page page = open(start(registry).url());
        page.locator(".card .load b").waitFor();
        assertThat(page.locator(".card .unread").isVisible()).isFalse();
        String colour = style(page, ".card .load b", "color");

        shy.hides = true;
        page.locator(".card .unread", text("^" + SINCE + "$")).waitFor();
        assertThat(page.locator(".card .load p").textContent()).isEqualTo("7 of 10 in flight");
        assertThat(style(page, ".card .load b", "fontStyle")).isEqualTo("italic");
        assertThat(style(page, ".card .load b", "color")).isNotEqualTo(colour);
        assertThat(style(page, ".card", "borderStyle")).isEqualTo("dashed");
        assertThat(page.locator(".troubles li").allTextContents())
                .hasSize(1)
                .first()
                .asString()
                .matches("■breaker shy is " + SINCE + ": java.lang.IllegalStateException; before that it is OPEN.*");
        AccessibilityTest.judge(page, "overview, not read");

        page.reload();
        live(page);
        page.locator(".card .unread", text("^" + SINCE + "$")).waitFor();

        go(page, shy);
        page.locator(".title .unread", text("^" + SINCE + "$")).waitFor();
        assertThat(page.locator("[data-notice=unread]").textContent())
                .isEqualTo("This part could not be read: java.lang.IllegalStateException."
                        + " Its last values stay here until it can be.");
        assertThat(rows(page).get("in.flight").get(0)).isEqualTo("7");
        assertThat(style(page, "[data-measure='in.flight'] .number", "fontStyle"))
                .isEqualTo("italic");
        assertThat(style(page, "[data-tile='in.flight'] dd", "fontStyle")).isEqualTo("italic");
        AccessibilityTest.judge(page, "detail, not read");

        shy.hides = false;
        await(page, () -> !page.locator(".title .unread").isVisible());
        assertThat(page.locator("[data-notice=unread]").isVisible()).isFalse();
        assertThat(style(page, "[data-tile='in.flight'] dd", "fontStyle")).isEqualTo("normal");
        go(page, "#/");
        page.locator(".troubles .sentence", text("^is OPEN$")).waitFor();
        assertThat(page.locator(".card .unread").isVisible()).isFalse();
    }

    private static String frame(long time, int ended, String unread) {
        return """
                {"time": %d, "parts": [{"id": 1, "kind": "guard", "name": "prices", %s
                 "layers": [{"layer": "breaker", "kind": "breaker", "name": "down"}], "measures": [
                 {"measure": "ended", "type": "count", "tags": {"outcome": "success"}, "value": %d}]},
                 {"id": 2, "kind": "breaker", "name": "down", "measures": [
                 {"measure": "state", "type": "state", "value": "OPEN"}]}]}""".formatted(time, unread, ended);
    }

    @Test
    @DisplayName("CN-4 of a part that cannot be read numbers a second and lines are those of before, not nought")
    void unread_forLong_keepsRatesAndEndsLines() {
        Page page = prepare(new Browser.NewContextOptions().setViewportSize(1280, 900));
        ScriptedStream stream = stream(page);
        long time = 1_763_300_000_000L;
        stream.first(frame(time, 0, ""));
        page.navigate(start(new Registry()).url());
        live(page);
        stream.send("change", frame(time + 10_000, 200, ""));
        page.locator(".card dd", text("^20/s$")).waitFor();

        stream.send("change", frame(time + 11_000, 200, "\"unread\": \"no answer for 5 s\","));
        stream.send("change", "{\"time\": %d}".formatted(time + 50_000));
        page.locator(".troubles .sentence", text("^is " + SINCE + ": no answer for 5 s$"))
                .waitFor();
        await(page, () -> page.locator(".troubles li").count() == 2);
        assertThat(page.locator("[data-kind=guard] .card dd").first().textContent())
                .isEqualTo("20/s");

        go(page, "#/part/guard/prices");
        page.locator("[data-measure^=ended] td:nth-child(4)", text("^20/s$")).waitFor();
        assertThat((int) page.evaluate("Math.max(...Chart.getChart(document.querySelector("
                        + "'canvas[aria-label^=Ended]')).data.datasets[0].data"
                        + ".filter(point => point.y !== null).map(point => Math.round(point.x)))"))
                .as("seconds since the line's end")
                .isBetween(-42, -40);
    }
}

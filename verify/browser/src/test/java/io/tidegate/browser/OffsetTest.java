package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Offsets and fences with more digits than a JavaScript number can hold. */
class OffsetTest extends PageTest {
    private static final String DOMAIN = """
            "domain": "order-7", "offset": "9007199254740993", "fence": "9223372036854775807", "retries": 0,
            "ageMillis": 1200, "holder": "worker-1", "processed": 41, "failed": 2""";

    private final Queue<String> sent = new ConcurrentLinkedQueue<>();

    private static void answer(Page page, String path, String json) {
        page.route(
                url -> url.contains(path),
                route -> route.fulfill(new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody(json)));
    }

    /** Answers requests without effect, and records them. */
    private void take(Page page) {
        page.route("**/replay", route -> {
            sent.add(route.request().postData());
            route.fulfill(new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody("{}"));
        });
    }

    private JsonElement replayed(Page page) {
        await(page, () -> !sent.isEmpty());
        return JsonParser.parseString(sent.remove()).getAsJsonObject().get("offset");
    }

    @Test
    @DisplayName("CN-4 offsets and fences are shown digit by digit, and sent back as they were given")
    void domain_longOffsets_areExact() {
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url() + "#token=" + TOKEN);
            answer(page, "/domains?", "{\"domains\": [{" + DOMAIN + ", \"backlog\": 2}]}");
            answer(page, "/domains/order-7", "{" + DOMAIN + """
                    , "backlogSize": 2, "backlog": ["9007199254740995", 9007], "failedWork": [
                    {"offset": "-9007199254740997", "retries": 3, "failedAt": 1763300000000, "reason": "late"},
                    {"offset": 4001, "retries": 3, "failedAt": 1763300000000, "reason": "late"}]}""");
            take(page);
            go(page, shop.orders);
            page.locator(".domains [data-domain=order-7] button.quiet").click();
            page.locator(".domain li").first().waitFor();

            assertThat(page.locator(".domains tbody td").allTextContents())
                    .startsWith("worker-1", "9007199254740993", "9223372036854775807", "1 s", "0", "2", "2");
            assertThat(page.locator(".domain p").textContent()).isEqualTo("Waiting: 9007199254740995, 9007.");
            assertThat(page.locator(".domain li").allTextContents())
                    .satisfiesExactly(
                            text -> assertThat(text).startsWith("Offset -9007199254740997 failed at"),
                            number -> assertThat(number).startsWith("Offset 4001 failed at"));

            page.locator(".domain [data-offset='-9007199254740997'] button").click();
            assertThat(replayed(page)).isEqualTo(json("\"-9007199254740997\""));
            page.locator(".domain [data-offset='4001'] button").click();
            assertThat(replayed(page)).isEqualTo(json("4001"));
        }
    }

    private static JsonElement json(String text) {
        return JsonParser.parseString(text);
    }

    @Test
    @DisplayName("CN-4 an offset that is typed is sent digit by digit")
    void runner_longOffset_isExact() {
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url() + "#token=" + TOKEN);
            take(page);
            go(page, "#/part/lease/order-workers");
            page.locator("input[name=domain]").first().fill("order-7");
            page.locator("input[name=offset]").fill("9007199254740993");
            button(page, "Replay").click();
            assertThat(replayed(page)).isEqualTo(json("\"9007199254740993\""));

            page.locator("input[name=offset]").fill("seven");
            button(page, "Replay").click();
            assertThat((boolean) page.locator("input[name=offset]").evaluate("input => input.validity.patternMismatch"))
                    .isTrue();
            assertThat(sent).isEmpty();
        }
    }
}

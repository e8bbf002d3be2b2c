package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.Registry;
import io.tidegate.lease.WorkLease;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A thousand parts that all change all the time, and ten thousand domains. */
class ManyTest extends PageTest {
    private static final int PARTS = 1_000;
    private static final int DOMAINS = 10_000;
    private static final int FRAMES = 5;

    /** Twice as many cards as fit into the test's window. */
    private static final int MOST_CARDS = 60;

    private static final int MOST_BYTES = 200_000;

    /** Records the length of each frame, and the time until the next one, by the console's clock. */
    private static final String LENGTHS = """
            window.lengths = [];
            let last = 0;
            const Source = window.EventSource;
            window.EventSource = class extends Source {
              constructor(...given) {
                super(...given);
                this.addEventListener('change', ({ data }) => {
                  const { time } = JSON.parse(data);
                  window.lengths.at(-1)?.push(time - last);
                  last = time;
                  window.lengths.push([new TextEncoder().encode(data).length]);
                });
              }
            };
            """;

    /** Reports new values in each reading. */
    private static final class Busy implements Part {
        private final String name;
        private final AtomicLong asked = new AtomicLong();

        Busy(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String kind() {
            return "bulkhead";
        }

        @Override
        public void read(Reading to) {
            long n = asked.incrementAndGet();
            to.gauge("in.flight", (double) (n % 11));
            to.gauge("limit", 10);
            to.count("admitted", 100 * n);
            to.count("ended", 90 * n, "outcome", "success");
            to.count("ended", 9 * n, "outcome", "failure");
            to.count("refused", 10 * n, "code", "AB_ERR_FULL");
            to.time("run", 99 * n, 99_000_000 * n, 1_000_000 + n, 5_000_000 + n, 9_000_000 + n);
        }
    }

    @Test
    @DisplayName("CN-5 of a thousand parts only the cards in view are drawn, each frame touches no more than these")
    void overview_thousandParts_drawsWhatIsInView() {
        Registry registry = new Registry();
        for (int i = 0; i < PARTS; i++) {
            registry.add(new Busy("part-" + i));
        }
        Page page = open(start(registry).url());
        page.addInitScript(LENGTHS);
        page.reload();
        page.locator(".card .inside").first().waitFor();
        assertThat(page.locator(".card").count()).isEqualTo(PARTS);
        assertThat(page.locator(".card .inside").count()).isBetween(1, MOST_CARDS);
        assertThat((int) page.evaluate("document.querySelectorAll('*').length"))
                .as("elements on the page")
                .isLessThan(2 * PARTS + 60 * MOST_CARDS);

        Cost cost = new Cost(page);
        page.evaluate("""
                () => {
                  window.touched = [];
                  new MutationObserver(changes => window.touched.push(
                      new Set(changes.map(change => (change.target.closest ?? (() => null)).call(change.target, '.card')
                          ?? change.target.parentElement?.closest('.card'))).size))
                    .observe(document.querySelector('main'),
                      { subtree: true, childList: true, attributes: true, characterData: true });
                }""");
        await(page, () -> (int) page.evaluate("window.touched.length") >= FRAMES);
        cost.print(PARTS + " parts, overview drawn " + FRAMES + " times");
        System.out.println("bytes of a frame, milliseconds to the next: " + page.evaluate("window.lengths.join(' ')"));
        assertThat((int) page.evaluate("Math.max(...window.lengths.map(([bytes]) => bytes))"))
                .as("bytes of a frame")
                .isLessThan(MOST_BYTES);
        assertThat((int) page.evaluate("Math.max(...window.touched)"))
                .as("cards that a frame touches")
                .isLessThanOrEqualTo(MOST_CARDS);

        page.locator(".card a").last().focus();
        await(page, () -> page.locator(".card").last().locator(".inside").count() == 1);
        assertThat(page.locator(".card .inside").count()).isLessThanOrEqualTo(MOST_CARDS);
        page.locator("#search").fill("part-99");
        await(page, () -> page.locator(".card").count() == 11);
        page.locator("#search").fill("");
        await(page, () -> page.locator(".card").count() == PARTS);
    }

    @Test
    @DisplayName("CN-5 of ten thousand domains one page is asked for and drawn")
    void domains_tenThousand_showsAPage() {
        Registry registry = new Registry();
        WorkLease lease = registry.add(WorkLease.builder(1).name("orders").build());
        for (int i = 0; i < DOMAINS; i++) {
            lease.tryAcquire("customer-%05d".formatted(i), 1);
        }
        Page page = open(start(registry).url());
        List<Integer> lengths = new ArrayList<>();
        page.onResponse(response -> {
            if (response.url().contains("/domains?")) {
                lengths.add(response.body().length);
            }
        });
        go(page, lease);
        page.locator(".domains [data-domain=customer-00000]").waitFor();
        assertThat(page.locator(".domains tbody tr").count()).isEqualTo(25);
        Cost cost = new Cost(page);
        page.locator("#domain").fill("customer-09999");
        await(page, () -> page.locator(".domains tbody tr").count() == 1);
        cost.print(DOMAINS + " domains, a search");
        assertThat(page.locator(".domains tbody th").textContent()).isEqualTo("customer-09999");
        assertThat(lengths).isNotEmpty().allMatch(length -> length < 10_000);
    }

    /** The processor time of the page's own thread, which does not depend on how busy the machine is. */
    private static final class Cost {
        private final CDPSession session;
        private final double before;

        Cost(Page page) {
            session = page.context().newCDPSession(page);
            JsonObject ticks = new JsonObject();
            ticks.addProperty("timeDomain", "threadTicks");
            session.send("Performance.enable", ticks);
            before = seconds();
        }

        private double seconds() {
            double sum = 0;
            for (var metric : session.send("Performance.getMetrics").getAsJsonArray("metrics")) {
                String name = metric.getAsJsonObject().get("name").getAsString();
                if (List.of("ScriptDuration", "LayoutDuration", "RecalcStyleDuration")
                        .contains(name)) {
                    sum += metric.getAsJsonObject().get("value").getAsDouble();
                }
            }
            return sum;
        }

        void print(String what) {
            System.out.printf("%s: %.0f ms of script, style and layout%n", what, 1000 * (seconds() - before));
        }
    }
}

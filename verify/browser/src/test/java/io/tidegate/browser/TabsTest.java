package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import io.tidegate.Registry;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.console.Console;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** More tabs than a browser allows connections to one address. */
class TabsTest extends PageTest {
    private static final int TABS = 8;
    private static final String LOAD = ".card .load p";

    /** Counts the streams of a page. */
    private static final String COUNT = """
            window.sources = [];
            const Source = window.EventSource;
            window.EventSource = class extends Source {
              constructor(...given) {
                super(...given);
                window.sources.push(this);
              }
            };
            """;

    private final List<Page> tabs = new ArrayList<>();

    private static boolean hasStream(Page tab) {
        return (boolean) tab.evaluate("window.sources.some(source => source.readyState !== EventSource.CLOSED)");
    }

    private List<Boolean> streams() {
        return tabs.stream().map(TabsTest::hasStream).toList();
    }

    private void awaitStreams(Boolean... expected) {
        Page clock = tabs.get(0);
        awaitEqual(clock, this::streams, () -> List.of(expected));
    }

    @Test
    @DisplayName("CN-4 in any number of tabs the one in view is live; three others go on, the rest when they are seen")
    void tabs_many_theOneInViewIsLive() {
        Registry registry = new Registry();
        AsyncBulkhead bulkhead =
                registry.add(AsyncBulkhead.builder(3).name("prices").build());
        Console console = start(registry);
        Page first = prepare(new Browser.NewContextOptions().setViewportSize(1280, 900));
        BrowserContext context = first.context();
        context.addInitScript(COUNT);
        for (int i = 0; i < TABS; i++) {
            Page tab = i == 0 ? first : context.newPage();
            if (i > 0) {
                hide(tabs.get(i - 1), true);
            }
            tabs.add(tab);
            tab.navigate(console.url());
            live(tab);
            tab.locator(LOAD).waitFor();
        }
        awaitStreams(false, false, false, false, true, true, true, true);
        assertThat(tabs.get(TABS - 1).evaluate("fetch('api/parts').then(answer => answer.status)"))
                .as("there is a connection for requests")
                .isEqualTo(200);

        bulkhead.setMaxInFlight(7);
        hide(tabs.get(TABS - 1), true);
        hide(first, false);
        first.locator(LOAD, new Page.LocatorOptions().setHasText("0 of 7 in flight"))
                .waitFor();
        live(first);
        awaitStreams(true, false, false, false, false, true, true, true);
        assertThat(tabs.get(1).locator(LOAD).textContent()).isEqualTo("0 of 3 in flight");

        for (Page left : tabs.subList(5, TABS)) {
            left.navigate("about:blank");
        }
        tabs.subList(5, TABS).clear();
        awaitStreams(true, false, true, true, true);
    }
}

package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.WaitForSelectorState;
import io.tidegate.breaker.State;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Navigation with the browser's buttons, with the keyboard alone, and by search. */
class NavigationTest extends PageTest {
    private static String focused(Page page) {
        return page.evaluate("document.activeElement.textContent.trim()").toString();
    }

    /** Presses the Tab key until an element has the focus, at most as often as the page has elements. */
    private static void tabTo(Page page, String name) {
        for (int i = 0; i < 60; i++) {
            page.keyboard().press("Tab");
            if (focused(page).equals(name)) {
                return;
            }
        }
        assertThat(focused(page)).isEqualTo(name);
    }

    @Test
    @DisplayName("CN-4 the browser's back button leads from a part to the overview, as it was left")
    void back_fromDetail_isTheOverviewAsItWas() {
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url());
            page.locator("#search").fill("payments");
            await(page, () -> page.locator(".card").count() == 1);
            page.locator(".card a").click();
            page.locator(".title h1").waitFor();
            assertThat(page.title()).isEqualTo("payments (breaker) · Tidegate");

            page.goBack();
            page.locator(".card").waitFor();
            assertThat(page.locator("#search").inputValue()).isEqualTo("payments");
            assertThat(page.locator(".card").count()).isEqualTo(1);
            assertThat(page.locator(".shown").textContent())
                    .isEqualTo("1 of " + shop.registry.parts().size() + " parts");

            page.goForward();
            page.locator(".title h1").waitFor();
        }
    }

    @Test
    @DisplayName("CN-4 an address that leads nowhere says so, and breaks nothing")
    void address_broken_saysSo() {
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url() + "#/part/%zz/%e0%a4%a");
            page.locator(".notice", new Page.LocatorOptions().setHasText("There is no %zz of this name any more."))
                    .waitFor();
            go(page, "#/nowhere");
            page.locator(".card").first().waitFor();
        }
    }

    @Test
    @DisplayName("CN-4 parts are found by kind, tag and text; events by code, kind and text, and they can be paused")
    void filter_byKindTagTextAndCode_showsWhatFits() throws InterruptedException {
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url());
            page.locator("#kind").selectOption("breaker");
            assertThat(page.locator(".card a").allTextContents()).containsExactly("inventory", "payments");
            page.locator("#kind").selectOption("");
            page.locator("#tag").selectOption("team=media");
            assertThat(page.locator(".card a").allTextContents()).containsExactly("images", "search");
            page.locator("#tag").selectOption("");

            shop.load();
            go(page, "#/events");
            page.locator("#code option[value=AB_ERR_FULL]").waitFor(attached());
            shop.settle();
            page.locator("#code").selectOption("AB_ERR_FULL");
            await(
                    page,
                    () -> page.locator(".events tbody code").allTextContents().stream()
                            .allMatch("AB_ERR_FULL"::equals));
            page.locator("#event-kind").selectOption("bulkhead");
            page.locator("#event-text").fill("images");
            await(
                    page,
                    () -> page.locator(".events tbody a").allTextContents().stream()
                            .allMatch("bulkhead images"::equals));

            page.locator("#event-kind").selectOption("");
            page.locator("#event-text").fill("FORCED");
            page.locator("#code").selectOption("");
            button(page, "Pause").click();
            shop.payments.forceOpen();
            button(page, "Go on (").waitFor();
            await(page, () -> !button(page, "Go on").textContent().equals("Go on (0 new)"));
            assertThat(page.locator(".events tbody tr").count()).isZero();
            button(page, "Go on").click();
            page.locator(".events tbody tr[data-type=state]").waitFor();
        }
    }

    private static Locator.WaitForOptions attached() {
        return new Locator.WaitForOptions().setState(WaitForSelectorState.ATTACHED);
    }

    @Test
    @DisplayName("CN-4 the keyboard alone reaches the content, a part, its control and the events")
    void keyboard_alone_reachesEverything() {
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url() + "#token=" + TOKEN);
            page.locator(".card").first().waitFor();
            page.keyboard().press("Tab");
            assertThat(focused(page)).isEqualTo("Skip to content");
            page.keyboard().press("Enter");
            assertThat(page.evaluate("document.activeElement.id")).isEqualTo("main");
            assertThat(page.url()).doesNotContain("#main");

            tabTo(page, "payments");
            assertThat(page.evaluate("getComputedStyle(document.activeElement.parentElement).outlineStyle"))
                    .as("one sees where the focus is")
                    .isEqualTo("solid");
            page.keyboard().press("Enter");
            page.locator(".title h1").waitFor();
            assertThat(focused(page)).isEqualTo("payments");

            tabTo(page, "Force open");
            page.keyboard().press("Enter");
            page.locator("dialog[open]").waitFor();
            assertThat(focused(page)).as("what does no harm").isEqualTo("Cancel");
            page.keyboard().press("Tab");
            page.keyboard().press("Enter");
            page.locator(".answer.done").waitFor();
            assertThat(shop.payments.state()).isEqualTo(State.FORCED_OPEN);
            assertThat(focused(page)).isEqualTo("Force open");

            go(page, "#/");
            page.locator(".card").first().waitFor();
            page.keyboard().press("Shift+Tab");
            page.locator("nav a", new Page.LocatorOptions().setHasText("Events"))
                    .focus();
            page.keyboard().press("Enter");
            page.locator(".events-view h1").waitFor();
        }
    }

    @Test
    @DisplayName("CN-4 at a phone's width nothing is wider than the page")
    void phone_everyView_isNotWiderThanThePage() {
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url(), new Browser.NewContextOptions().setViewportSize(360, 740));
            page.locator(".card").first().waitFor();
            isNarrow(page);
            shop.registry.parts().forEach(part -> {
                go(page, part);
                page.locator(".measures tbody tr").first().waitFor();
                isNarrow(page);
            });
            go(page, "#/events");
            page.locator(".events-view").waitFor();
            isNarrow(page);
        }
    }

    private static void isNarrow(Page page) {
        assertThat(page.evaluate("document.documentElement.scrollWidth"))
                .as(page.url())
                .isEqualTo(360);
    }
}

package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks with axe that the page works for users with impaired vision. */
class AccessibilityTest extends PageTest {
    private static final List<String> RULES =
            List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice");

    /** Checks the present view, all of it or the part that the selector names. */
    private interface Judge {
        void look(Page page, String view, String... selector);
    }

    /** Checks the present view in light colours, and its contrast in dark ones. */
    static void judge(Page page, String view, String... selector) {
        judge(new AxeBuilder(page).withTags(RULES), view, selector);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
        judge(new AxeBuilder(page).withRules(List.of("color-contrast")), view + " in the dark", selector);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
    }

    private static void judge(AxeBuilder axe, String view, String... selector) {
        if (selector.length > 0) {
            axe.include(List.of(selector));
        }
        assertThat(axe.setLegacyMode(true).analyze().getViolations())
                .as(view)
                .extracting(rule -> rule.getId() + ": "
                        + rule.getNodes().stream()
                                .map(node -> node.getHtml() + " " + node.getFailureSummary())
                                .toList())
                .isEmpty();
    }

    @Test
    @DisplayName("CN-4 axe finds nothing in any view, nor in its colours in the dark")
    void everyView_lightAndDark_isClean() throws InterruptedException {
        everyView(new Browser.NewContextOptions().setViewportSize(1280, 900), AccessibilityTest::judge);
    }

    @Test
    @DisplayName("CN-4 axe finds nothing in any view at a phone's width, where colours are the same")
    void everyView_phone_isClean() throws InterruptedException {
        everyView(
                new Browser.NewContextOptions().setViewportSize(360, 740),
                (page, view, selector) -> judge(
                        new AxeBuilder(page).withTags(RULES).disableRules(List.of("color-contrast")), view, selector));
    }

    private void everyView(Browser.NewContextOptions options, Judge judge) throws InterruptedException {
        expected.add("Failed to load resource: the server responded with a status of 401");
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url(), options);
            shop.load();
            page.locator(".troubles .bad .sentence", new Page.LocatorOptions().setHasText("OPEN"))
                    .waitFor();
            go(page, shop.inventory);
            page.locator(".layers .refusals.bad").first().waitFor();
            shop.settle();
            judge.look(page, "guard");
            go(page, "#/");
            page.locator(".card .inside").first().waitFor();
            judge.look(page, "overview");
            go(page, shop.payments);
            page.locator(".band [data-state=OPEN]").waitFor();
            judge.look(page, "breaker");
            button(page, "Force open").click();
            page.locator("dialog .danger").click();
            page.locator("#token").fill("wrong");
            button(page, "Use it").click();
            page.locator(".problem", new Page.LocatorOptions().setHasText("does not accept"))
                    .waitFor();
            judge.look(page, "dialog", "dialog");
            page.keyboard().press("Escape");
            go(page, shop.tenants);
            page.locator(".groups [data-group=tenant-1]").waitFor();
            judge.look(page, "group", ".groups");
            go(page, shop.orders);
            page.locator("#domain").fill("customer-00");
            page.locator(".domains [data-domain=customer-007] button.quiet").click();
            page.locator(".domain li").first().waitFor();
            judge.look(page, "lease");
            go(page, shop.reports);
            shop.reports.setMaxInFlight(1);
            page.locator(".drain progress").waitFor();
            judge.look(page, "draining", ".drain");
            go(page, "#/events");
            page.locator(".events tbody tr").first().waitFor();
            page.locator("#event-kind").selectOption("breaker");
            judge.look(page, "events");
        }
    }
}

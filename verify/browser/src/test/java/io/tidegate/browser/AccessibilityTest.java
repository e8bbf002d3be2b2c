package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The page for those who do not see it, or not well; axe is the judge. */
class AccessibilityTest extends PageTest {
    private static final List<String> RULES =
            List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice");

    private static void isClean(Page page, String view, AxeBuilder judge) {
        assertThat(judge.setLegacyMode(true).analyze().getViolations())
                .as(view)
                .extracting(rule -> rule.getId() + ": "
                        + rule.getNodes().stream()
                                .map(node -> node.getHtml() + " " + node.getFailureSummary())
                                .toList())
                .isEmpty();
    }

    private static AxeBuilder everything(Page page) {
        return new AxeBuilder(page).withTags(RULES);
    }

    /** In other colours only these can be wrong. */
    private static AxeBuilder colours(Page page) {
        return new AxeBuilder(page).withRules(List.of("color-contrast"));
    }

    @Test
    @DisplayName("CN-4 axe finds nothing in any view")
    void everyView_light_isClean() throws InterruptedException {
        everyView(new Browser.NewContextOptions().setViewportSize(1280, 900), AccessibilityTest::everything);
    }

    @Test
    @DisplayName("CN-4 axe finds nothing in the colours of any view in the dark")
    void everyView_dark_isClean() throws InterruptedException {
        everyView(
                new Browser.NewContextOptions().setViewportSize(1280, 900).setColorScheme(ColorScheme.DARK),
                AccessibilityTest::colours);
    }

    @Test
    @DisplayName("CN-4 axe finds nothing in any view at a phone's width")
    void everyView_phone_isClean() throws InterruptedException {
        everyView(new Browser.NewContextOptions().setViewportSize(360, 740), AccessibilityTest::everything);
    }

    private void everyView(Browser.NewContextOptions options, Function<Page, AxeBuilder> judge)
            throws InterruptedException {
        expected.add("Failed to load resource: the server responded with a status of 401");
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url(), options);
            shop.load();
            page.locator(".troubles .bad .sentence", new Page.LocatorOptions().setHasText("OPEN"))
                    .waitFor();
            go(page, shop.inventory);
            page.locator(".layers .told.bad").first().waitFor();
            shop.settle();
            isClean(page, "guard", judge.apply(page));
            go(page, "#/");
            page.locator(".card .inside").first().waitFor();
            isClean(page, "overview", judge.apply(page));
            go(page, shop.payments);
            page.locator(".band [data-state=OPEN]").waitFor();
            isClean(page, "breaker", judge.apply(page));
            button(page, "Force open").click();
            page.locator("dialog .danger").click();
            page.locator("#token").fill("wrong");
            button(page, "Use it").click();
            page.locator(".problem", new Page.LocatorOptions().setHasText("does not accept"))
                    .waitFor();
            isClean(page, "dialog", judge.apply(page).include(List.of("dialog")));
            page.keyboard().press("Escape");
            go(page, shop.tenants);
            page.locator(".groups [data-group=tenant-1]").waitFor();
            isClean(page, "group", judge.apply(page).include(List.of(".groups")));
            go(page, shop.orders);
            page.locator("#domain").fill("customer-00");
            page.locator(".domains [data-domain=customer-007] button.quiet").click();
            page.locator(".domain li").first().waitFor();
            isClean(page, "lease", judge.apply(page));
            go(page, shop.reports);
            shop.reports.setMaxInFlight(1);
            page.locator(".drain progress").waitFor();
            isClean(page, "draining", judge.apply(page).include(List.of(".drain")));
            go(page, "#/events");
            page.locator(".events tbody tr").first().waitFor();
            page.locator("#event-kind").selectOption("breaker");
            isClean(page, "events", judge.apply(page));
        }
    }
}

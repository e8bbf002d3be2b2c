package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page for those who do not see it, or not well; axe is the judge. */
class AccessibilityTest extends PageTest {
    private static void isClean(Page page, String view) {
        assertThat(new AxeBuilder(page)
                        .withTags(List.of("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"))
                        .setLegacyMode(true)
                        .analyze()
                        .getViolations())
                .as(view)
                .extracting(rule -> rule.getId() + ": "
                        + rule.getNodes().stream().map(node -> node.getHtml() + " " + node.getFailureSummary()).toList())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"LIGHT, 1280", "DARK, 1280", "LIGHT, 360"})
    @DisplayName("CN-4 axe finds nothing in any view")
    void everyView_underLoad_isClean(ColorScheme colours, int width) throws InterruptedException {
        expected.add("Failed to load resource: the server responded with a status of 401");
        try (Shop shop = new Shop()) {
            shop.load();
            Page page = open(
                    start(shop.registry).url(),
                    new Browser.NewContextOptions().setViewportSize(width, 900).setColorScheme(colours));
            page.locator(".troubles .bad").first().waitFor();
            isClean(page, "overview");
            go(page, shop.inventory);
            page.locator(".layers .exit.bad").first().waitFor();
            isClean(page, "guard");
            go(page, shop.payments);
            page.locator(".band [data-state=OPEN]").waitFor();
            shop.settle();
            isClean(page, "breaker");
            button(page, "Force open").click();
            isClean(page, "confirmation");
            page.locator("dialog .danger").click();
            page.locator("#token").fill("wrong");
            button(page, "Use it").click();
            page.locator(".problem", new Page.LocatorOptions().setHasText("does not accept"))
                    .waitFor();
            isClean(page, "token");
            page.keyboard().press("Escape");
            go(page, shop.tenants);
            page.locator(".groups [data-group=tenant-1]").waitFor();
            isClean(page, "group");
            go(page, shop.orders);
            page.locator(".domains [data-domain=customer-007] button.quiet").click();
            page.locator(".domain li").first().waitFor();
            isClean(page, "lease");
            go(page, shop.reports);
            shop.reports.setMaxInFlight(1);
            page.locator(".drain progress").waitFor();
            isClean(page, "draining");
            go(page, "#/events");
            page.locator(".events tbody tr").first().waitFor();
            isClean(page, "events");
        }
    }
}

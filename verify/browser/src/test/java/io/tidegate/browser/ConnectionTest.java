package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.tidegate.Registry;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.console.Console;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A console that goes away and comes back. */
class ConnectionTest extends PageTest {
    @Test
    @DisplayName("CN-4 a lost connection is shown, and heals by itself, with everything as it is then")
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

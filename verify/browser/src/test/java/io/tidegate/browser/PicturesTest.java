package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.tidegate.Part;
import io.tidegate.Registry;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.console.Console;
import io.tidegate.lab.orders.Store;
import io.tidegate.lab.play.Playground;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Checks the pictures in the documents. With {@code -Dtidegate.write=true} it makes them, which takes three minutes.
 */
class PicturesTest extends PageTest {
    private static final Path FOLDER =
            Path.of(System.getProperty("tidegate.root"), "docs", "pictures").normalize();
    private static final int MOST_BYTES = 200_000;
    private static final boolean WRITE = Boolean.getBoolean("tidegate.write");

    @Test
    @DisplayName("CN-4 pictures of the console's main views are there, and small")
    void console_pictures_areThereAndSmall() throws IOException {
        if (WRITE) {
            writeConsole();
        }
        for (String name : List.of("overview", "breaker", "guard", "phone", "dark")) {
            assertThereAndSmall("console-" + name);
        }
    }

    @Test
    @DisplayName("a picture of the lab is there, and small")
    void lab_picture_isThereAndSmall() throws IOException {
        if (WRITE) {
            writeLab();
        }
        assertThereAndSmall("lab");
    }

    private static void assertThereAndSmall(String name) throws IOException {
        assertThat(file(name)).exists();
        assertThat(Files.size(file(name))).as(name).isLessThan(MOST_BYTES);
    }

    private static Path file(String name) {
        return FOLDER.resolve(name + ".png");
    }

    private void writeConsole() {
        try (Shop shop = new Shop(Duration.ofSeconds(5))) {
            String url = start(shop.registry).url();
            Page page = open(url + "#token=" + TOKEN, sized(1280, 900));
            shop.failures = 0;
            shop.load();
            go(page, shop.payments);
            seen(page, 65);
            shop.failures = 0.8;
            seen(page, 80);
            shop.failures = 0.1;
            seen(page, 105);
            take(page, "console-breaker", shop.payments);
            shop.failures = 0.8;
            seen(page, 111);
            take(page, "console-guard", shop.inventory);
            page.setViewportSize(360, 740);
            take(page, "console-phone", null);
            page.setViewportSize(1280, 900);
            take(page, "console-overview", null);
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
            take(page, "console-dark", null);
        }
    }

    /** Takes a picture of a service that gets three times the load it can carry, without and with a bulkhead. */
    private void writeLab() throws IOException {
        Registry registry = new Registry();
        try (Playground playground = Playground.start(registry, Store.MEMORY)) {
            Console console =
                    start(Console.builder(registry).port(0).controlToken(TOKEN).panel(playground));
            Page page = open(console.url() + "#token=" + TOKEN + "&/panel", sized(1280, 1000));
            page.locator(".lab-lead").waitFor();
            page.locator("#lab-offered").fill("120");
            page.locator(".lab-switch", new Page.LocatorOptions().setHasText("As many calls at once"))
                    .click();
            await(
                    page,
                    () -> registry.find("bulkhead", "shop")
                            .filter(shop -> ((AsyncBulkhead) shop).stats().submitted() >= 40 * 120)
                            .isPresent());
            page.screenshot(new Page.ScreenshotOptions().setPath(file("lab")));
        }
    }

    private static Browser.NewContextOptions sized(int width, int height) {
        return new Browser.NewContextOptions().setViewportSize(width, height);
    }

    /** Waits until the page has so many seconds of the past. */
    private static void seen(Page page, int seconds) {
        await(page, () -> (int) page.evaluate("""
                        () => [...document.querySelector('.axis').textContent.matchAll(/(\\d+) (min|s)/g)]
                            .map(([, count, unit]) => count * (unit === 'min' ? 60 : 1))
                            .reduce((sum, more) => sum + more, 0)""") >= seconds);
    }

    private static void take(Page page, String name, @Nullable Part part) {
        if (part == null) {
            go(page, "#/");
            page.locator(".card .inside").first().waitFor();
        } else {
            go(page, part);
            page.locator(".measures tbody tr").first().waitFor();
        }
        page.screenshot(new Page.ScreenshotOptions().setPath(file(name)));
    }
}

package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import io.tidegate.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The pictures in the documents. With {@code -Dtidegate.write=true} it makes them, which takes two minutes. */
class PicturesTest extends PageTest {
    private static final Path FOLDER =
            Path.of(System.getProperty("tidegate.root"), "docs", "pictures").normalize();
    private static final int MOST_BYTES = 200_000;

    @Test
    @DisplayName("CN-4 pictures of the main views are there, and small")
    void pictures_areThereAndSmall() throws IOException {
        if (Boolean.getBoolean("tidegate.write")) {
            write();
        }
        for (String name : List.of("overview", "breaker", "guard", "phone", "dark")) {
            assertThat(file(name)).exists();
            assertThat(Files.size(file(name))).as(name).isLessThan(MOST_BYTES);
        }
    }

    private static Path file(String name) {
        return FOLDER.resolve("console-" + name + ".png");
    }

    private void write() {
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
            take(page, "breaker", shop.payments);
            shop.failures = 0.8;
            seen(page, 111);
            take(page, "guard", shop.inventory);
            page.setViewportSize(360, 740);
            take(page, "phone", null);
            page.setViewportSize(1280, 900);
            take(page, "overview", null);
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
            take(page, "dark", null);
        }
    }

    private static Browser.NewContextOptions sized(int width, int height) {
        return new Browser.NewContextOptions().setViewportSize(width, height);
    }

    /** Waits until the page has seen that many seconds of the past. */
    private static void seen(Page page, int seconds) {
        await(page, () -> (int) page.evaluate("""
                        () => [...document.querySelector('.axis').textContent.matchAll(/(\\d+) (min|s)/g)]
                            .reduce((sum, [, count, unit]) => sum + count * (unit === 'min' ? 60 : 1), 0)""") >= seconds);
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

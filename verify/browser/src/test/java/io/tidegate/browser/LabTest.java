package io.tidegate.browser;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import io.tidegate.Registry;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.console.Console;
import io.tidegate.lab.orders.Store;
import io.tidegate.lab.play.Playground;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The lab's own view, with real services and load behind it. */
class LabTest extends PageTest {
    /* These two stages have everything that a stage can have. The shop is the first stage of a tour. */
    private static final List<String> STAGES = List.of("Orders", "A cluster");

    private final Registry registry = new Registry();
    private @Nullable Playground playground;
    private @Nullable Page opened;

    @BeforeEach
    void openTheLab() throws IOException {
        Playground started = Playground.start(registry, Store.MEMORY);
        playground = started;
        Console console =
                start(Console.builder(registry).port(0).controlToken(TOKEN).panel(started));
        Page page = open(console.url() + "#token=" + TOKEN + "&/panel");
        opened = page;
        page.locator(".lab-lead").waitFor();
    }

    @AfterEach
    void closeTheLab() {
        if (playground != null) {
            playground.close();
        }
    }

    @Test
    @DisplayName("CN-4 what is switched on is in the registry while it is, with the limit that the slider says")
    void switchAndSlider_turned_areTheRegistrys() {
        Page page = page();
        page.locator("#lab-capacity").fill("7");
        page.locator("#lab-offered").fill("90");
        page.locator(".lab-note", new Page.LocatorOptions().setHasText("can carry 70 calls a second. It gets more"))
                .waitFor();
        Locator bulkhead = page.locator(".lab-switch", new Page.LocatorOptions().setHasText("As many calls at once"));
        bulkhead.click();
        await(page, () -> registry.find("bulkhead", "shop").isPresent());
        AsyncBulkhead made = (AsyncBulkhead) registry.find("bulkhead", "shop").orElseThrow();
        assertThat(made.maxInFlight()).isEqualTo(7);

        bulkhead.click();
        await(page, () -> registry.find("bulkhead", "shop").isEmpty());
    }

    @Test
    @DisplayName("axe finds nothing in a tour or on a stage, nor in its colours in the dark")
    void tourAndStages_areClean() {
        Page page = page();
        press("Overload");
        page.locator(".lab-tour .step", new Page.LocatorOptions().setHasText("Overload, step"))
                .waitFor();
        AccessibilityTest.judge(page, "a tour");
        for (String stage : STAGES) {
            press(stage);
            page.locator("button[aria-pressed=true]", new Page.LocatorOptions().setHasText(stage))
                    .waitFor();
            AccessibilityTest.judge(page, stage);
        }
    }

    private Page page() {
        return requireNonNull(opened);
    }

    private void press(String name) {
        page().locator(".lab-head button", new Page.LocatorOptions().setHasText(Pattern.compile("^" + name + "$")))
                .click();
    }
}

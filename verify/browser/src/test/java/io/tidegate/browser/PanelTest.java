package io.tidegate.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.tidegate.Registry;
import io.tidegate.console.Console;
import io.tidegate.console.panel.Panel;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A view that a program brings along. */
class PanelTest extends PageTest {
    private static final class Counter implements Panel {
        final AtomicInteger count = new AtomicInteger(7);

        @Override
        public String title() {
            return "<b>Counter</b>";
        }

        @Override
        public @Nullable InputStream file(String name) {
            String script = """
                    let output;
                    export function mount(element, api) {
                      output = document.createElement('output');
                      const button = document.createElement('button');
                      button.textContent = 'Add';
                      button.addEventListener('click', () => api.act('add', { by: 5 }));
                      const canvas = document.createElement('canvas');
                      element.append(output, button, canvas);
                      api.chart(canvas, { type: 'line', data: { datasets: [] } });
                      const show = (state) => { output.textContent = `${state.count} of ${api.model.parts.size}`; };
                      api.onState(show);
                      show(api.state());
                    }
                    export function unmount() { window.left = true; }
                    """;
            return name.equals("panel.js") ? new ByteArrayInputStream(script.getBytes(UTF_8)) : null;
        }

        @Override
        public Map<String, ?> state() {
            return Map.of("count", count.get());
        }

        @Override
        public Map<String, ?> act(String action, Map<String, ?> body) {
            return Map.of("count", count.addAndGet(((Number) body.get("by")).intValue()));
        }
    }

    @Test
    @DisplayName("CN-4 a panel is in the menu, shows its state as it changes, acts with the token and is left")
    void panel_mounted_showsStateActsAndIsLeft() {
        Counter counter = new Counter();
        Console console = start(
                Console.builder(new Registry()).port(0).controlToken(TOKEN).panel(counter));
        Page page = open(console.url() + "#token=" + TOKEN);
        page.locator("nav a", new Page.LocatorOptions().setHasText("<b>Counter</b>"))
                .click();
        page.locator("output", new Page.LocatorOptions().setHasText("7 of 0")).waitFor();
        button(page, "Add").click();
        page.locator("output", new Page.LocatorOptions().setHasText("12 of 0")).waitFor();
        assertThat(counter.count).hasValue(12);
        AccessibilityTest.judge(page, "panel");
        page.setViewportSize(360, 740);
        AccessibilityTest.judge(page, "panel on a phone");
        page.locator("nav a", new Page.LocatorOptions().setHasText("Events")).click();
        page.locator(".events-view").waitFor();
        assertThat(page.evaluate("window.left")).isEqualTo(true);
    }
}

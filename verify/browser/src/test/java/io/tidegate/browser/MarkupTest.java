package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.Registry;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import io.tidegate.lease.WorkLease;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Names that contain markup. */
class MarkupTest extends PageTest {
    private static final List<String> NAMES = List.of(
            "<img src=x onerror=\"window.hacked = 1\">",
            "\"><script>window.hacked = 1</script>",
            "javascript:window.hacked=1",
            "__proto__/../%2e%2e/?a#b");

    /** A part of another author, with any kind, measures, tags and states. */
    private record Odd(String name) implements Part {
        @Override
        public String kind() {
            return "<b>odd</b>";
        }

        @Override
        public void read(Reading to) {
            to.gauge("<i>gauge</i>", 1, "<u>tag</u>", name);
            to.count("refused", 2, "code", name);
            to.state("state", "<s>state</s>");
        }
    }

    @Test
    @DisplayName("CN-3 names, kinds, tags, codes and states with markup are text in every view, and no script runs")
    void names_withMarkup_areText() {
        Registry registry = new Registry();
        for (String name : NAMES) {
            AsyncBulkhead bulkhead = registry.add(
                    AsyncBulkhead.builder(1).name(name).build(), "<em>tag</em>", "<strong>" + name + "</strong>");
            registry.add(Guard.builder(name).bulkhead(bulkhead).build());
            WorkLease lease = registry.add(WorkLease.builder(1).name(name).build());
            lease.tryAcquire(name, 1);
            registry.add(new Odd(name));
        }
        Page page = open(start(registry).url());
        page.locator(".card a").first().waitFor();
        assertThat(page.locator(".card a").allTextContents()).containsAll(NAMES);
        isHarmless(page);

        for (Part part : registry.parts()) {
            go(page, part);
            assertThat(page.locator("h1").textContent()).isEqualTo(part.name());
            page.locator(".measures tbody tr").first().waitFor();
            if (part instanceof WorkLease) {
                page.locator(".domains button.quiet").first().click();
                page.locator(".domain h3").waitFor();
                assertThat(page.locator(".domain h3").textContent()).isEqualTo("Domain " + part.name());
            }
            isHarmless(page);
        }

        NAMES.forEach(name -> registry.remove(registry.find("bulkhead", name).orElseThrow()));
        go(page, "#/events");
        await(page, () -> page.locator(".events tbody tr").count() >= NAMES.size());
        isHarmless(page);
    }

    private static void isHarmless(Page page) {
        assertThat(page.evaluate("typeof window.hacked")).isEqualTo("undefined");
        assertThat(page.locator("main")
                        .locator("img, script, textarea, i, u, s, em, strong")
                        .count())
                .isZero();
    }
}

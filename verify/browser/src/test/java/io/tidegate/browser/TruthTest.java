package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import io.tidegate.Part;
import io.tidegate.Registry;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.group.GroupStats;
import io.tidegate.lease.DomainSummary;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks that the page shows what the parts report. */
class TruthTest extends PageTest {
    /** These change by themselves between a reading for the page and a reading for the test. */
    private static final List<String> MOVING = List.of("lease.left", "budget", "latency.p99", "claims");

    private static Map<String, List<String>> steady(Map<String, List<String>> rows) {
        Map<String, List<String>> steady = new TreeMap<>(rows);
        assertThat(steady.values()).allSatisfy(row -> assertThat(row.get(0)).isNotEmpty());
        steady.keySet().removeAll(MOVING);
        return steady;
    }

    @Test
    @DisplayName("CN-4 every number of every part on its view equals what the registry says, once load has stopped")
    void detail_afterLoad_showsWhatTheRegistrySays() throws InterruptedException {
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url());
            shop.load();
            go(page, shop.inventory);
            await(
                    page,
                    () -> rows(page).getOrDefault("calls", List.of("0")).get(0).length() > 2);
            shop.settle();
            for (Part part : shop.registry.parts()) {
                go(page, part);
                awaitEqual(
                        page,
                        () -> rows(page).keySet(),
                        () -> ExpectedRows.rows(part).keySet());
                awaitEqual(page, () -> steady(rows(page)), () -> steady(ExpectedRows.rows(part)));
            }
        }
    }

    @Test
    @DisplayName("CN-4 every card of the overview equals what the registry says, once load has stopped")
    void overview_afterLoad_showsWhatTheRegistrySays() throws InterruptedException {
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url(), new Browser.NewContextOptions().setViewportSize(1280, 3000));
            shop.load();
            await(page, () -> cards(page).values().stream().anyMatch(card -> card.contains("OPEN")));
            shop.settle();
            awaitEqual(page, () -> new TreeMap<>(cards(page)), () -> cards(shop.registry));
            assertThat(page.locator(".troubles li").allTextContents())
                    .anyMatch(text -> text.contains("breaker payments is OPEN"))
                    .anyMatch(text -> text.contains("bulkhead images is full: 10 of 10 in flight"));
        }
    }

    private static SortedMap<String, String> cards(Registry registry) {
        SortedMap<String, String> cards = new TreeMap<>();
        registry.parts().forEach(part -> cards.put(address(part), card(ExpectedRows.rows(part))));
        return cards;
    }

    /** Returns state, in flight, limit, refused codes and times in the form of a card. */
    private static String card(Map<String, List<String>> rows) {
        StringBuilder card = new StringBuilder();
        card.append(value(rows, "state")).append('|');
        String inFlight = value(rows, "in.flight");
        card.append(inFlight);
        if (!inFlight.isEmpty() && rows.containsKey("limit")) {
            card.append(" of ").append(value(rows, "limit"));
        }
        card.append('|').append(value(rows, "waiting"));
        List<String> run = rows.getOrDefault("run", List.of("0", "", "", ""));
        card.append('|').append(run.get(1)).append('|').append(run.get(2)).append('|');
        rows.forEach((key, row) -> {
            if (key.startsWith("refused{") && !row.get(0).equals("0")) {
                card.append(key, "refused{code=".length(), key.length() - 1)
                        .append(' ')
                        .append(row.get(0))
                        .append(' ');
            }
        });
        return card.toString();
    }

    private static String value(Map<String, List<String>> rows, String measure) {
        return rows.getOrDefault(measure, List.of("")).get(0);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> cards(Page page) {
        return (Map<String, String>) page.evaluate("""
                () => Object.fromEntries([...document.querySelectorAll('.card')].map(card => {
                  const text = query => card.querySelector(query)?.textContent ?? '';
                  const fact = name => [...card.querySelectorAll('dt')]
                      .find(dt => dt.textContent === name)?.nextSibling.textContent ?? '';
                  const codes = [...card.querySelectorAll('.codes li')].map(li => li.querySelector('code').textContent
                      + ' ' + li.querySelector('span').textContent.replace(' in all', ' '));
                  const load = card.querySelector('.load');
                  return [card.querySelector('a').getAttribute('href'), [
                    text('.state'),
                    load === null || load.hidden ? '' : load.querySelector('p').textContent.replace(' in flight', ''),
                    fact('waiting'), fact('p50'), fact('p99'), codes.sort().join('')].join('|')];
                }))""");
    }

    @Test
    @DisplayName("CN-4 a part that goes away disappears, from the overview and from its own view")
    void remove_shown_disappears() {
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url());
            AsyncBulkhead passing =
                    shop.registry.add(AsyncBulkhead.builder(1).name("passing").build());
            page.locator(".card a[href='" + address(passing) + "']").waitFor();

            shop.registry.remove(passing);
            await(
                    page,
                    () -> page.locator(".card a[href='" + address(passing) + "']")
                                    .count()
                            == 0);
            assertThat(page.locator(".shown").textContent())
                    .isEqualTo(shop.registry.parts().size() + " parts");

            go(page, shop.images);
            shop.registry.remove(shop.images);
            page.locator(".notice", new Page.LocatorOptions().setHasText("There is no bulkhead of this name any more."))
                    .waitFor();
            assertThat(page.locator(".measures").isVisible()).isFalse();
        }
    }

    @Test
    @DisplayName("CN-4 a guard's layers show where its calls are refused, and how often in all")
    void layers_afterLoad_showWhereCallsAreRefused() throws InterruptedException {
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url());
            shop.load();
            go(page, shop.inventory);
            page.locator(".layers [data-layer=bulkhead] [data-code=AB_ERR_FULL]")
                    .waitFor();
            shop.settle();
            await(
                    page,
                    () -> page.locator(".layers [data-layer=bulkhead] .refusals")
                            .textContent()
                            .endsWith(ExpectedRows.rows(shop.inventory)
                                            .get("refused{code=AB_ERR_FULL}")
                                            .get(0)
                                    + " in all"));
            assertThat(page.locator(".layers .name").allTextContents())
                    .containsExactly(
                            "time limit",
                            "retry",
                            "rate public-api",
                            "breaker inventory",
                            "bulkhead inventory",
                            "time limit",
                            "the call itself");
        }
    }

    @Test
    @DisplayName("CN-4 the most loaded groups are those of the executor, in its order")
    void groups_shown_areThoseOfTheExecutor() {
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url());
            go(page, shop.tenants);
            page.locator(".groups [data-group=tenant-1]").waitFor();
            assertThat(page.locator(".groups tbody tr").all())
                    .extracting(row -> row.locator("th, td:nth-child(-n + 4)").allTextContents())
                    .isEqualTo(shop.tenants.groups().stream()
                            .sorted(Comparator.comparingInt((GroupStats group) -> -group.inFlight() - group.waiting())
                                    .thenComparing(GroupStats::groupKey))
                            .map(group -> List.of(
                                    group.groupKey(),
                                    of(group.running(), group.maxConcurrency()),
                                    of(group.inFlight(), group.maxInFlight()),
                                    of(group.waiting(), group.queueThreshold())))
                            .toList());
        }
    }

    private static String of(int taken, int limit) {
        return limit == Integer.MAX_VALUE ? "" + taken : taken + " of " + limit;
    }

    @Test
    @DisplayName(
            "CN-4 the domains of a lease are shown page by page, found by their first letters, one with its backlog")
    void domains_shown_areThoseOfTheLease() {
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url());
            go(page, shop.orders);
            List<DomainSummary> first = shop.orders.domains(25, "");
            awaitEqual(page, () -> domains(page), () -> lines(first));
            button(page, "Next").click();
            List<DomainSummary> second = shop.orders.domains(25, first.get(24).domainId());
            awaitEqual(page, () -> domains(page), () -> lines(second));
            page.locator(".domains").waitFor();
            button(page, "Back").click();
            awaitEqual(page, () -> domains(page), () -> lines(first));

            page.locator("#domain").fill("customer-05");
            awaitEqual(page, () -> domains(page), () -> lines(shop.orders.domains(10, "customer-049")));

            page.locator("#domain").fill("customer-007");
            awaitEqual(page, () -> domains(page), () -> lines(shop.orders.domains(1, "customer-006")));
            button(page, "customer-007").first().click();
            page.locator(".domain", new Page.LocatorOptions().setHasText("no such article"))
                    .waitFor();
            assertThat(page.locator(".domain p").textContent())
                    .isEqualTo("Waiting: %s."
                            .formatted(shop.orders.inspect("customer-007").orElseThrow().backlog().stream()
                                    .map(Object::toString)
                                    .collect(Collectors.joining(", "))));
        }
    }

    @SuppressWarnings("unchecked")
    private static List<List<String>> domains(Page page) {
        return (List<List<String>>) page.evaluate("() => [...document.querySelectorAll('.domains tbody tr')]"
                + ".map(row => [0, 2, 3, 6, 7].map(cell => row.children[cell].textContent))");
    }

    /** Returns domain, offset, fence, backlog and failed work. */
    private static List<List<String>> lines(List<DomainSummary> domains) {
        return domains.stream()
                .map(domain -> List.of(
                        domain.domainId(),
                        domain.lease()
                                .map(lease -> Long.toString(lease.offset()))
                                .orElse("–"),
                        domain.lease()
                                .map(lease -> Long.toString(lease.fence()))
                                .orElse("–"),
                        ExpectedRows.number((double) domain.backlogSize()),
                        ExpectedRows.number((double) domain.failedCount())))
                .toList();
    }
}

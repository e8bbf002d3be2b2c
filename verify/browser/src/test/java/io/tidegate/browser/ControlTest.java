package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.WaitForSelectorState;
import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.State;
import io.tidegate.console.Console;
import io.tidegate.lease.WorkLease;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Control from the page. */
class ControlTest extends PageTest {
    private static void answer(Page page, String token) {
        page.locator("#token").fill(token);
        button(page, "Use it").click();
    }

    @Test
    @DisplayName("CN-2 a wrong token changes nothing, and the page says so; the right one acts, and is an event")
    void forceOpen_wrongThenRightToken_isRefusedThenDone() {
        expected.add("Failed to load resource: the server responded with a status of 401");
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url());
            go(page, shop.payments);

            button(page, "Force open").click();
            page.locator("dialog .danger").click();
            answer(page, "a wrong one");
            page.locator(".problem", new Page.LocatorOptions().setHasText("does not accept this token"))
                    .waitFor();
            assertThat(shop.payments.state()).isEqualTo(State.CLOSED);

            answer(page, TOKEN);
            page.locator(".answer.done").waitFor();
            assertThat(shop.payments.state()).isEqualTo(State.FORCED_OPEN);
            page.locator(".title .state[data-state=FORCED_OPEN]").waitFor();
            page.locator(".events tr[data-type=action]").first().waitFor();

            button(page, "Reset").click();
            await(page, () -> shop.payments.state() == State.CLOSED);
            assertThat(page.locator("#dialog").isVisible())
                    .as("asked once only")
                    .isFalse();

            go(page, "#/events");
            await(page, () -> page.locator("tr[data-type=action]").count() == 2);
        }
    }

    @Test
    @DisplayName("CN-2 without a confirmation or a token nothing changes")
    void forceOpen_cancelled_changesNothing() {
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url());
            go(page, shop.payments);
            button(page, "Force open").click();
            page.keyboard().press("Escape");
            page.locator("#dialog form").waitFor(gone());
            button(page, "Force open").click();
            page.locator("dialog .danger").click();
            page.locator("#token").waitFor();
            page.keyboard().press("Escape");
            page.locator("#dialog form").waitFor(gone());
            assertThat(shop.payments.state()).isEqualTo(State.CLOSED);
            assertThat(page.locator(".answer").textContent()).isEmpty();
        }
    }

    /** Waits until a dialog is gone: it is hidden at once, and removed a moment later. */
    private static Locator.WaitForOptions gone() {
        return new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED);
    }

    @Test
    @DisplayName(
            "CN-2 a token behind the address is taken and removed from there; limits, rates, groups and leases change")
    void token_inTheAddress_isTakenAndUsed() {
        expected.add("Failed to load resource: the server responded with a status of 400");
        try (Shop shop = new Shop()) {
            Page page = open(start(shop.registry).url() + "#token=" + TOKEN);
            assertThat(page.url()).doesNotContain(TOKEN);

            go(page, shop.images);
            page.locator("input[name=limit]").fill("25");
            button(page, "Set limit").click();
            page.locator(".answer.done").waitFor();
            assertThat(shop.images.maxInFlight()).isEqualTo(25);
            page.locator("[data-tile=limit] dd", new Page.LocatorOptions().setHasText("25"))
                    .waitFor();
            page.locator("input[name=limit]").fill("0");
            button(page, "Set limit").click();
            page.locator(".answer.failed", new Page.LocatorOptions().setHasText("expected"))
                    .waitFor();
            assertThat(shop.images.maxInFlight()).isEqualTo(25);

            go(page, shop.publicApi);
            page.locator("input[name=permits]").fill("30");
            page.locator("input[name=periodMillis]").fill("2000");
            button(page, "Set rate").click();
            page.locator("[data-measure=limit] .number", new Page.LocatorOptions().setHasText("15"))
                    .first()
                    .waitFor();

            go(page, shop.orders);
            page.locator("#domain").fill("customer-007");
            page.locator(".domains [data-domain=customer-007] button.quiet").click();
            page.locator(".domain [data-offset='1'] button").click();
            page.locator(".answer.done").waitFor();
            assertThat(shop.orders.failedWork("customer-007", 9)).isEmpty();

            go(page, shop.tenants);
            page.locator(".groups [data-group=tenant-6] button").click();
            page.locator("dialog .danger").click();
            page.locator(".answer.done").waitFor();
        }
    }

    @Test
    @DisplayName("CN-2 parts and domains whose names a path does not carry are controlled and looked into like others")
    void oddNames_controlAndDomains_work() {
        Registry registry = new Registry();
        List<String> names = List.of(".", "..", "GET /orders;v=1", "50 %");
        for (String name : names) {
            registry.add(CircuitBreaker.of(name));
            WorkLease lease = registry.add(WorkLease.builder(1).name(name).build());
            lease.tryAcquire(name, 1);
            lease.tryAcquire(name, 42);
        }
        Page page = open(start(registry).url() + "#token=" + TOKEN);
        for (String name : names) {
            CircuitBreaker breaker =
                    (CircuitBreaker) registry.find("breaker", name).orElseThrow();
            go(page, breaker);
            button(page, "Force open").click();
            page.locator("dialog .danger").click();
            page.locator(".answer.done").waitFor();
            assertThat(breaker.state()).isEqualTo(State.FORCED_OPEN);
            go(page, registry.find("lease", name).orElseThrow());
            page.locator(".domains button.quiet").click();
            page.locator(".domain p", new Page.LocatorOptions().setHasText("Waiting: 42."))
                    .waitFor();
        }
    }

    @Test
    @DisplayName("CN-1 without a token in the builder the page has no control")
    void noToken_inTheBuilder_noControl() {
        try (Shop shop = new Shop()) {
            Page page = open(start(Console.builder(shop.registry).port(0)).url());
            go(page, shop.payments);
            page.locator(".measures tbody tr").first().waitFor();
            assertThat(page.locator(".control").isVisible()).isFalse();
            go(page, shop.tenants);
            page.locator(".groups [data-group=tenant-1]").waitFor();
            assertThat(page.locator(".groups button").count()).isZero();
        }
    }
}

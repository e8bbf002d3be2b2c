package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.sun.management.OperatingSystemMXBean;
import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.console.Console;
import io.tidegate.guard.Guard;
import io.tidegate.rate.RateLimiter;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The cost of viewers for the application, in processor time of its process; the browser is a separate process. Two
 * seconds give a rough result: {@code -Dtidegate.seconds=60} measures for longer.
 */
@ExtendWith(Chromium.Provider.class)
class CostTest {
    private static final int GUARDS = 25;
    private static final int VIEWERS = 10;
    private static final int SECONDS = Integer.getInteger("tidegate.seconds", 2);
    private static final long PAUSE_NANOS = 2_000_000;

    /** Counts the frames that the console has sent. */
    private static final String FRAMES = """
            window.frames = 0;
            const Source = window.EventSource;
            window.EventSource = class extends Source {
              constructor(...given) {
                super(...given);
                this.addEventListener('change', ({ data }) => { window.frames += data.includes('values') ? 1 : 0; });
              }
            };
            """;

    private final Registry registry = new Registry();
    private final List<Guard> guards = new ArrayList<>();
    private final OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private volatile boolean calls = true;

    @Test
    @DisplayName("CN-5 what ten viewers of a hundred parts that all change cost the application, printed")
    void tenViewers_hundredParts_cost(Browser browser) throws InterruptedException {
        for (int i = 0; i < GUARDS; i++) {
            Guard guard = Guard.builder("service-" + i)
                    .rateLimit(RateLimiter.builder(10, Duration.ofSeconds(1))
                            .name("service-" + i)
                            .build())
                    .breaker(CircuitBreaker.of("service-" + i))
                    .bulkhead(AsyncBulkhead.builder(8).name("service-" + i).build())
                    .build();
            guards.add(registry.add(guard));
            guard.parts().forEach(registry::add);
        }
        assertThat(registry.parts()).hasSize(4 * GUARDS);
        Thread caller = new Thread(this::call);
        caller.start();
        List<BrowserContext> viewers = new ArrayList<>();
        try (Console console = Console.builder(registry).port(0).start()) {
            List<Page> pages = new ArrayList<>();
            for (int i = 0; i < VIEWERS; i++) {
                viewers.add(browser.newContext());
                Page page = viewers.get(i).newPage();
                page.addInitScript(FRAMES);
                pages.add(page);
            }
            Page clock = pages.get(0);
            double before = coresFor(clock);
            for (Page page : pages) {
                page.navigate(console.url());
            }
            for (Page page : pages) {
                seen(page, 2);
            }
            double meanwhile = coresFor(clock);
            System.out.printf(
                    "%d parts, %d viewers, %d s: %.2f %% of a core; without viewers %.2f %%%n",
                    4 * GUARDS, VIEWERS, SECONDS, 100 * meanwhile, 100 * before);
            assertThat(pages).allSatisfy(page -> seen(page, 3));
        } finally {
            calls = false;
            caller.join();
            viewers.forEach(BrowserContext::close);
        }
    }

    private void call() {
        for (int i = 0; calls; i++) {
            try {
                guards.get(i % GUARDS).call(() -> "an answer");
            } catch (Exception refused) {
                // the rate limiter refuses some
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Returns how many cores this process uses during some seconds in which the test itself does nothing. */
    private double coresFor(Page clock) {
        long begin = System.nanoTime();
        long processor = process.getProcessCpuTime();
        clock.waitForTimeout(1_000.0 * SECONDS);
        return (double) (process.getProcessCpuTime() - processor) / (System.nanoTime() - begin);
    }

    private static void seen(Page page, int frames) {
        PageTest.await(page, () -> frames(page) >= frames);
    }

    private static int frames(Page page) {
        return (int) page.evaluate("window.frames");
    }
}

package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.tidegate.Reading;
import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.State;
import io.tidegate.console.Console;
import io.tidegate.lab.orders.Store;
import io.tidegate.lab.play.Playground;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks that the lab's tours describe what happens. All tours run at the same time, each in a separate lab. */
class TourTest extends PageTest {
    private static final String BARE = "Without protection";
    private static final String SHIELDED = "With protection";
    private static final String POOL = "Shared pool: the quiet five";
    private static final String GROUPS = "Groups: the quiet five";
    private static final String REMOTE = "Behind the remote bulkhead";
    private static final int MOST_ATTEMPTS = 5;

    /** For each tour, the claims of its steps as conditions on numbers. */
    private static final Map<String, List<Predicate<Seen>>> CLAIMS = new LinkedHashMap<>();

    static {
        CLAIMS.put(
                "Overload",
                List.of(
                        seen -> seen.goodput(BARE) >= 16 && seen.goodput(SHIELDED) >= 16,
                        seen -> seen.goodput(BARE) < 20 && seen.figure(BARE, "Inside") > 50,
                        seen -> seen.goodput(SHIELDED) > 28
                                && seen.figure(SHIELDED, "Refused") > 10
                                && seen.reported("bulkhead", "shop", "refused") > 10
                                && seen.figure(SHIELDED, "Wait, p99") < seen.figure(BARE, "Wait, p99") / 2,
                        seen -> seen.goodput(BARE) >= 16
                                && seen.goodput(SHIELDED) >= 16
                                && seen.figure(SHIELDED, "Inside") <= 4));
        CLAIMS.put(
                "Brown-out",
                List.of(
                        seen -> seen.goodput(BARE) >= 16 && seen.goodput(SHIELDED) >= 16 && !seen.isBreakerOpen(),
                        seen -> seen.figure(SHIELDED, "Refused") > 5
                                && seen.reported("breaker", "shop", "refused") > 5
                                && seen.figure(SHIELDED, "Inside") < seen.figure(BARE, "Inside")
                                && seen.goodput(BARE) < 10,
                        seen -> seen.goodput(SHIELDED) >= 16 && !seen.isBreakerOpen()));
        CLAIMS.put(
                "Retry storm",
                List.of(
                        seen -> seen.goodput(SHIELDED) >= 20,
                        seen -> seen.figure(SHIELDED, "Inside") > seen.figure(BARE, "Inside") + 10,
                        seen -> seen.goodput(BARE) >= 20 && seen.goodput(SHIELDED) < 10,
                        seen -> seen.goodput(SHIELDED) >= 20));
        CLAIMS.put(
                "Noisy tenant",
                List.of(
                        seen -> seen.goodput(POOL) >= 16 && seen.goodput(GROUPS) >= 16,
                        seen -> seen.goodput(POOL) < 10 && seen.goodput(GROUPS) >= 16,
                        seen -> seen.figure("Groups: the sixth", "Refused") > 5
                                && seen.goodput("Groups: the sixth") > 5,
                        seen -> seen.goodput(POOL) >= 16));
        CLAIMS.put(
                "Worker crash",
                List.of(
                        seen -> seen.row("Orders done") >= 8,
                        seen -> seen.row("Attempts cut off by a death") >= 1
                                && seen.row("Orders out of turn, or twice") == 0,
                        seen -> seen.row("Attempts cut off by a death") >= 2
                                && seen.row("Orders out of turn, or twice") == 0,
                        seen -> seen.row("Orders parked") == 1));
        CLAIMS.put(
                "Live shrink",
                List.of(
                        seen -> seen.goodput(REMOTE) >= 24,
                        seen -> seen.figure(REMOTE, "Refused") > 5
                                && seen.reported("remote", "payments", "limit") == 4
                                && seen.reported("remote", "payments", "in.flight") <= 4,
                        seen -> seen.goodput(REMOTE) >= 24 && seen.reported("remote", "payments", "limit") == 16));
        CLAIMS.put(
                "Cluster",
                List.of(
                        seen -> seen.row("Slice of member 1") > 0
                                && seen.row("Slice of member 2") > 0
                                && seen.row("Slice of member 3") > 0,
                        seen -> seen.row("Slice of member 1") > seen.row("Slice of member 2")
                                && seen.row("Slice of member 1") > seen.row("Slice of member 3"),
                        seen -> seen.row("Slice of member 3") == 0
                                && seen.row("Slice of member 1") + seen.row("Slice of member 2") == 12,
                        seen -> seen.row("Cap of all") == 6 && seen.row("Inside the service") <= 6));
    }

    /** Reads everything that the page shows of a tour, as texts. */
    private static final String LOOK = """
            () => {
              const text = query => document.querySelector(query)?.textContent ?? '';
              const terms = node => Object.fromEntries([...node.querySelectorAll('dl > div, .tiles > div')]
                  .map(pair => [pair.querySelector('dt').textContent, pair.querySelector('dd').textContent]));
              return {
                tours: [...document.querySelectorAll('[aria-label=Tours] button')].map(button => button.textContent),
                step: text('.lab-tour .step'),
                says: text('.lab-tour .says'),
                lanes: Object.fromEntries([...document.querySelectorAll('.lab-lane')]
                    .map(lane => [lane.getAttribute('aria-label'), terms(lane)])),
                rows: terms(document),
              };
            }""";

    private static final int PAUSE_MILLIS = 200;

    @Test
    @DisplayName("CN-4 each step of each tour shows what it says: in the numbers on the page and in the registry")
    void tours_eachStep_showsWhatItSays() throws IOException {
        List<Walker> walkers = new ArrayList<>();
        try {
            for (String tour : CLAIMS.keySet()) {
                walkers.add(new Walker(tour));
            }
            assertThat(walkers.get(0).look().tours()).isEqualTo(List.copyOf(CLAIMS.keySet()));
            while (!walkers.stream().allMatch(Walker::isOver)) {
                walkers.forEach(Walker::goOn);
                walkers.get(0).page.waitForTimeout(PAUSE_MILLIS);
            }
            assertThat(walkers)
                    .allSatisfy(
                            walker -> assertThat(walker.missed).as(walker.tour).isEmpty());
        } finally {
            walkers.forEach(walker -> walker.playground.close());
        }
    }

    /** Plays a tour with its button, from each step to the next as soon as the step's claim can be seen. */
    private final class Walker {
        final String tour;
        final Playground playground;
        final Page page;
        private final Registry registry = new Registry();
        private final List<Predicate<Seen>> claims;
        private int attempts;
        private int step;
        private List<String> missed = List.of("not begun");

        Walker(String tour) throws IOException {
            this.tour = tour;
            this.claims = CLAIMS.get(tour);
            this.playground = Playground.start(registry, Store.MEMORY);
            Console console =
                    start(Console.builder(registry).port(0).controlToken(TOKEN).panel(playground));
            this.page = open(console.url() + "#token=" + TOKEN + "&/panel");
            page.locator(".lab-lead").waitFor();
        }

        Seen look() {
            return new Seen(registry, (Map<?, ?>) page.evaluate(LOOK));
        }

        boolean isOver() {
            return missed.isEmpty() || (attempts == MOST_ATTEMPTS && step == 0);
        }

        void goOn() {
            if (isOver()) {
                return;
            }
            if (step == 0) {
                press(tour);
                attempts++;
                step = 1;
                return;
            }
            Seen seen = look();
            int shown = seen.step(tour);
            if (step > claims.size()) {
                missed = seen.says().startsWith("That was the tour.") ? List.of() : missed;
            } else if (shown > step) {
                // The tour went on by itself, because the claim could not be seen in time: on a busy machine the next
                // try may show it.
                missed = List.of("step " + step, seen.toString());
                step = 0;
            } else if (shown == step && seen.isSeen() && claims.get(step - 1).test(seen)) {
                press("Next step");
                step++;
            }
        }

        /* Presses a button by script, because it may vanish at this moment. */
        private void press(String name) {
            page.evaluate(
                    "name => [...document.querySelectorAll('.lab-head button')]"
                            + ".find(button => !button.hidden && button.textContent === name)?.click()",
                    name);
        }
    }

    /** What can be seen at a moment. */
    private record Seen(Registry registry, Map<?, ?> page) {
        private static final Pattern NUMBER = Pattern.compile("([\\d.]+)(?:/s| (s|ms))?");

        List<?> tours() {
            return (List<?>) page.get("tours");
        }

        String says() {
            return page.get("says").toString();
        }

        /** Returns the step that a tour shows; after the last step, a number that no step has. */
        int step(String tour) {
            String shown = page.get("step").toString();
            Matcher step = Pattern.compile(tour + ", step (\\d+) of \\d+: .*").matcher(shown);
            return step.matches() ? Integer.parseInt(step.group(1)) : shown.equals(tour) ? Integer.MAX_VALUE : 0;
        }

        /** Whether the tour itself says that its step can be seen. */
        boolean isSeen() {
            return page.get("step").toString().endsWith("to be seen now ✓");
        }

        /** Returns a number of a lane, such as calls a second or milliseconds. */
        double figure(String lane, String label) {
            Map<?, ?> lanes = (Map<?, ?>) page.get("lanes");
            return number(lanes.get(lane) instanceof Map<?, ?> figures ? figures.get(label) : null);
        }

        double goodput(String lane) {
            return figure(lane, "Goodput");
        }

        /** Returns a number beside the lanes; 0 for a member that was killed. */
        double row(String label) {
            return number(((Map<?, ?>) page.get("rows")).get(label));
        }

        /* Reads a number. A dash, or no text, is 0. */
        private static double number(Object shown) {
            Matcher number = NUMBER.matcher(String.valueOf(shown));
            return number.matches()
                    ? Double.parseDouble(number.group(1)) * ("s".equals(number.group(2)) ? 1_000 : 1)
                    : 0;
        }

        /** Returns a measure in the registry, over all tags; 0 if it is not reported. */
        double reported(String kind, String name, String measure) {
            double[] sum = new double[1];
            registry.find(kind, name)
                    .ifPresent(part -> part.read(new Reading() {
                        @Override
                        public void gauge(String reported, double value, String... tags) {
                            sum[0] += reported.equals(measure) ? value : 0;
                        }

                        @Override
                        public void count(String reported, long total, String... tags) {
                            gauge(reported, (double) total, tags);
                        }

                        @Override
                        public void time(
                                String reported,
                                long count,
                                long total,
                                long p50,
                                long p99,
                                long max,
                                String... tags) {}

                        @Override
                        public void state(String reported, String value) {}
                    }));
            return sum[0];
        }

        boolean isBreakerOpen() {
            return registry.find("breaker", "shop")
                    .filter(breaker -> ((CircuitBreaker) breaker).state() != State.CLOSED)
                    .isPresent();
        }
    }
}

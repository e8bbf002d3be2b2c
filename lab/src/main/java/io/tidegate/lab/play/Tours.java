package io.tidegate.lab.play;

import static io.tidegate.lab.play.Protection.BREAKER;
import static io.tidegate.lab.play.Protection.BUDGET;
import static io.tidegate.lab.play.Protection.BULKHEAD;
import static io.tidegate.lab.play.Protection.RETRY;
import static io.tidegate.lab.play.Protection.TIME_LIMIT;

import io.tidegate.lab.play.Tour.Step;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** All tours. */
enum Tours {
    OVERLOAD("Overload", ShopStage.NAME) {
        @Override
        List<Step> steps(Stage stage) {
            return overload((ShopStage) stage);
        }
    },
    BROWN_OUT("Brown-out", ShopStage.NAME) {
        @Override
        List<Step> steps(Stage stage) {
            return brownOut((ShopStage) stage);
        }
    },
    RETRY_STORM("Retry storm", ShopStage.NAME) {
        @Override
        List<Step> steps(Stage stage) {
            return retryStorm((ShopStage) stage);
        }
    },
    NOISY_TENANT("Noisy tenant", TenantsStage.NAME) {
        @Override
        List<Step> steps(Stage stage) {
            return noisyTenant((TenantsStage) stage);
        }
    },
    WORKER_CRASH("Worker crash", OrdersStage.NAME) {
        @Override
        List<Step> steps(Stage stage) {
            return workerCrash((OrdersStage) stage);
        }
    },
    LIVE_SHRINK("Live shrink", DrainStage.NAME) {
        @Override
        List<Step> steps(Stage stage) {
            return liveShrink((DrainStage) stage);
        }
    },
    CLUSTER("Cluster", MembersStage.NAME) {
        @Override
        List<Step> steps(Stage stage) {
            return cluster((MembersStage) stage);
        }
    };

    private static final int CALM = 20;

    private final String title;
    private final String stage;

    Tours(String title, String stage) {
        this.title = title;
        this.stage = stage;
    }

    abstract List<Step> steps(Stage stage);

    /** Returns the word that chooses it. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String title() {
        return title;
    }

    /** Returns the name of its stage. */
    String stage() {
        return stage;
    }

    Tour on(Stage stage) {
        return new Tour(word(), title, this.stage, steps(stage));
    }

    /**
     * Finds a tour by its word.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Tours of(String word) {
        return Stream.of(values())
                .filter(tour -> tour.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("tour: " + word + " (expected: "
                        + String.join(
                                ", ", Arrays.stream(values()).map(Tours::word).toList())
                        + ")"));
    }

    private static boolean mostlyAnswered(Lane lane, double offered) {
        return lane.rates().goodput() >= 0.8 * offered;
    }

    private static List<Step> overload(ShopStage shop) {
        return List.of(
                new Step(
                        "The service works on 4 calls at once, 100 ms each: it can carry 40 a second, and gets 20. It"
                                + " is here twice, without and with protection. Both answer all calls, and quickly.",
                        () -> {
                            shop.reset();
                            shop.move(ShopSlider.OFFERED, CALM);
                        },
                        () -> mostlyAnswered(shop.bare(), CALM) && mostlyAnswered(shop.guarded(), CALM)),
                new Step(
                        "Now 100 calls a second arrive. They pile up inside the service, until each waits longer than"
                                + " its caller does; at 200 it fails new ones. It works as hard as it can, and hardly"
                                + " an answer is of use.",
                        () -> shop.move(ShopSlider.OFFERED, 100),
                        () -> shop.bare().rates().goodput() < 0.5 * shop.carries()
                                && shop.bare().inside() > 50),
                new Step(
                        "The service with protection has a bulkhead now: 4 calls at once, all others are refused at"
                                + " once. When what has piled up is gone, it answers as many as it can carry, and"
                                + " quickly.",
                        () -> shop.protect(BULKHEAD),
                        () -> shop.guarded().rates().goodput() > 0.7 * shop.carries()
                                && shop.guarded().rates().p99Millis()
                                        < 0.5 * shop.bare().rates().p99Millis()),
                new Step(
                        "The load is back to 20 a second. With protection nothing has piled up. Without it the service"
                                + " still works on calls whose callers have gone; only then it is well again.",
                        () -> shop.move(ShopSlider.OFFERED, CALM),
                        () -> mostlyAnswered(shop.bare(), CALM) && mostlyAnswered(shop.guarded(), CALM)));
    }

    private static List<Step> brownOut(ShopStage shop) {
        return List.of(
                new Step(
                        "All is well: 20 calls a second, and the service can carry 40. Its protection is a circuit"
                                + " breaker and a time limit of 300 ms, which do nothing yet.",
                        () -> {
                            shop.reset();
                            shop.protect(BREAKER, TIME_LIMIT);
                        },
                        () -> mostlyAnswered(shop.bare(), CALM) && mostlyAnswered(shop.guarded(), CALM)),
                new Step(
                        "The service browns out: it takes 800 ms for a call and fails most of them. Without protection"
                                + " callers wait, mostly for nothing. With it the breaker opens: callers are refused at"
                                + " once.",
                        () -> {
                            shop.move(ShopSlider.LATENCY, 800);
                            shop.move(ShopSlider.FAILURES, 70);
                        },
                        () -> shop.guarded().rates().refused() > CALM / 4.0
                                && shop.guarded().inside() < shop.bare().inside()),
                new Step(
                        "The service is well again. The breaker lets one call through as a probe, sees that it works,"
                                + " and closes. Without protection the service must first work off what has piled up.",
                        () -> {
                            shop.move(ShopSlider.LATENCY, ShopSlider.LATENCY.usual());
                            shop.move(ShopSlider.FAILURES, 0);
                        },
                        () -> mostlyAnswered(shop.guarded(), CALM)));
    }

    private static List<Step> retryStorm(ShopStage shop) {
        int offered = 25;
        return List.of(
                new Step(
                        "25 calls a second, and the service can carry 40. As protection, callers retry: three attempts"
                                + " of 300 ms at the most. Nobody needs that yet.",
                        () -> {
                            shop.reset();
                            shop.move(ShopSlider.OFFERED, offered);
                            shop.protect(RETRY, TIME_LIMIT);
                        },
                        () -> mostlyAnswered(shop.guarded(), offered)),
                new Step(
                        "The service fails four calls of five for a while. Where callers retry, each failure is tried"
                                + " again: that service gets more than twice the load, just when it can bear it least.",
                        () -> shop.move(ShopSlider.FAILURES, 80),
                        () -> shop.guarded().inside() > 20),
                new Step(
                        "The failure is over, and the service without retries is well at once. The other stays down:"
                                + " calls wait so long inside that each attempt times out and is made again. That is a"
                                + " retry storm.",
                        () -> shop.move(ShopSlider.FAILURES, 0),
                        () -> mostlyAnswered(shop.bare(), offered)
                                && shop.guarded().rates().goodput() < 0.4 * offered),
                new Step(
                        "Now retries have a budget, a fifth of the calls, and a breaker stands behind them. The breaker"
                                + " gives the service a pause; the budget keeps the storm from coming back.",
                        () -> shop.protect(RETRY, BUDGET, BREAKER, TIME_LIMIT),
                        () -> mostlyAnswered(shop.guarded(), offered)));
    }

    private static List<Step> noisyTenant(TenantsStage tenants) {
        int quiet = TenantsStage.QUIET_RATE;
        return List.of(
                new Step(
                        "Six tenants share a service that does 4 things at once; it is here twice. Before one they"
                                + " share a pool and its queue, before the other each has a group. All get their"
                                + " answers.",
                        () -> tenants.wild(false),
                        () -> mostlyAnswered(tenants.poolQuiet(), quiet)
                                && mostlyAnswered(tenants.groupsQuiet(), quiet)),
                new Step(
                        "The sixth goes wild and sends twenty times as much. In the shared pool everybody stands in its"
                                + " queue. In groups it only fills its own, and the quiet five notice nothing.",
                        () -> tenants.wild(true),
                        () -> tenants.poolQuiet().rates().goodput() < 0.5 * quiet
                                && mostlyAnswered(tenants.groupsQuiet(), quiet)),
                new Step(
                        "The sixth itself is not shut out either: it may use 2 of the 4 places, 20 of its calls may"
                                + " wait, and the rest is refused at once, with a reason.",
                        () -> {},
                        () -> tenants.groupsWild().rates().refused() > 5),
                new Step(
                        "It is quiet again. The shared pool must first work off the queue that it has left behind.",
                        () -> tenants.wild(false),
                        () -> mostlyAnswered(tenants.poolQuiet(), quiet)));
    }

    private static List<Step> workerCrash(OrdersStage orders) {
        AtomicLong done = new AtomicLong();
        AtomicLong cutOff = new AtomicLong();
        Runnable kill = () -> {
            done.set(orders.book().done());
            cutOff.set(orders.book().cutOff());
            orders.killAtWork();
        };
        BooleanSupplier workGoesOn = () -> orders.book().done() >= done.get() + 8
                && orders.book().cutOff() > cutOff.get()
                && orders.book().outOfTurn() == 0;
        return List.of(
                new Step(
                        "Four customers send orders. A lease gives out the orders of a customer one at a time, in the"
                                + " order in which they came; customers do not wait for each other.",
                        () -> {},
                        () -> orders.book().done() >= 8),
                new Step(
                        "A worker was killed in the middle of its work. What it had begun is not lost: the lease knows"
                                + " it, and another worker runs it again, before anything that comes later.",
                        kill,
                        workGoesOn),
                new Step(
                        "And another one. Each order still ends once and in its turn. What was cut off has run twice,"
                                + " so work must bear to be done again.",
                        kill,
                        workGoesOn),
                new Step(
                        "One order of Bob's always fails. After its retries it is parked, for somebody to look at, and"
                                + " Bob's next order goes on.",
                        () -> {},
                        () -> orders.book().parked() >= 1));
    }

    private static List<Step> liveShrink(DrainStage drain) {
        int enough = 24;
        return List.of(
                new Step(
                        "30 calls a second of 400 ms each need about 12 places. The cap of the remote bulkhead is 16:"
                                + " nobody waits.",
                        () -> drain.cap(DrainStage.CAP),
                        () -> drain.lane().rates().goodput() >= enough),
                new Step(
                        "An operator lowers the cap to 4. No call is cut off: those in flight end, and nobody is let in"
                                + " until there is room. Others wait in line for half a second, then they are refused.",
                        () -> drain.cap(DrainStage.LOWERED),
                        () -> drain.inFlight() <= DrainStage.LOWERED
                                && drain.lane().rates().refused() > 5),
                new Step(
                        "The cap is 16 again. Those who wait are let in at once, in the order in which they came.",
                        () -> drain.cap(DrainStage.CAP),
                        () -> drain.lane().rates().goodput() >= enough
                                && drain.lane().rates().refused() < 1));
    }

    private static List<Step> cluster(MembersStage members) {
        return List.of(
                new Step(
                        "Three members of a cluster call one service, which bears 12 calls at once. They share that"
                                + " cap: each has a slice of it, and admits calls without asking anybody.",
                        () -> members.busy(false),
                        () -> members.slice(1) > 0 && members.slice(2) > 0 && members.slice(3) > 0),
                new Step(
                        "The first member gets four times the load of the others. Slices follow the need: what the"
                                + " others do not use goes to the first. The sum stays 12.",
                        () -> members.busy(true),
                        () -> members.slice(1) >= members.slice(2) + 2 && members.slice(1) >= members.slice(3) + 2),
                new Step(
                        "The third member is killed and cannot leave. Its slice is leased for two seconds; then it goes"
                                + " to those who live.",
                        members::kill,
                        () -> members.members() == 2),
                new Step(
                        "Now the cap of all is lowered to 6, in one place. The members hear of it with their next"
                                + " question, and soon no more than 6 calls are inside the service.",
                        () -> members.cap(MembersStage.LOWERED),
                        () -> members.held() <= MembersStage.LOWERED && members.inside() <= MembersStage.LOWERED));
    }
}

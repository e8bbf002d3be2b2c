package io.tidegate.breaker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One random script, played against a breaker and against the reference, and compared after every step. */
final class ModelRun {
    /**
     * Every time in a script is a multiple of this. The window by time is 8/3 of it, so that no outcome is ever exactly
     * as old as the window is long: there the window, which is exact to one slot, may differ from the reference.
     */
    private static final Duration UNIT = Duration.ofSeconds(12);

    private static final Duration SPAN = Duration.ofSeconds(32);

    /** The kinds of window. */
    enum Window {
        TOTALS,
        INTERVAL,
        LAST_CALLS,
        LAST_SPAN
    }

    private record Begun(long stamp, ReferenceBreaker.Call call) {}

    private final Random random;
    private final Window window;
    private final ManualTicker ticker = new ManualTicker();
    private final List<String> script = new ArrayList<>();
    private final List<String> changes = new ArrayList<>();
    private final List<Transition> transitions = new ArrayList<>();
    private final List<Begun> begun = new ArrayList<>();
    private final List<Begun> ended = new ArrayList<>();
    private final CircuitBreaker breaker;
    private final ReferenceBreaker reference;

    private ModelRun(Window window, long seed) {
        this.random = new Random(seed);
        this.window = window;
        ticker.set(random.nextLong());
        ReferenceBreaker.Settings settings = new ReferenceBreaker.Settings();
        CircuitBreaker.Builder builder = CircuitBreaker.builder("search")
                .ticker(ticker)
                .onStateChange((name, from, to) -> changes.add(from + " -> " + to))
                .onTransition(transitions::add);
        setProbes(builder, settings);
        setWindow(builder, settings);
        setRules(builder, settings);
        this.breaker = build(builder, settings);
        this.reference = new ReferenceBreaker(settings, now());
    }

    static void play(Window window, long seed, int steps) {
        ModelRun run = new ModelRun(window, seed);
        try {
            for (int i = 0; i < steps; i++) {
                run.step();
                run.compare();
            }
            run.trip();
        } catch (AssertionError error) {
            throw new AssertionError(
                    "seed " + seed + ", " + window + ", after " + run.script + ": " + error.getMessage(), error);
        }
    }

    // Settings

    private static CircuitBreaker build(CircuitBreaker.Builder builder, ReferenceBreaker.Settings settings) {
        if (cannotTrip(settings, settings.minimum)) {
            checkRefused(true, builder::build);
            settings.minimum = settings.windowCalls;
            builder.failureRate(settings.failureRate, settings.minimum);
        }
        return builder.build();
    }

    private static boolean cannotTrip(ReferenceBreaker.Settings settings, int minimum) {
        return settings.windowCalls > 0 && minimum > settings.windowCalls;
    }

    private static void checkRefused(boolean expected, Runnable setting) {
        boolean refused = false;
        try {
            setting.run();
        } catch (IllegalArgumentException cannotTrip) {
            refused = true;
        }
        check("refused as it could never trip", refused, expected);
    }

    private double anyRate() {
        return (1 + random.nextInt(10)) / 10.0;
    }

    private void setProbes(CircuitBreaker.Builder builder, ReferenceBreaker.Settings settings) {
        settings.maxRequests = 1 + random.nextInt(3);
        builder.maxRequests(settings.maxRequests);
        if (random.nextBoolean()) {
            settings.successesToClose = 1 + random.nextInt(4);
            builder.successesToClose(settings.successesToClose);
        }
        Duration timeout = units(1 + random.nextInt(4));
        settings.timeout = timeout.toNanos();
        builder.timeout(timeout);
        if (random.nextBoolean()) {
            Duration limit = units(1 + random.nextInt(4));
            settings.probeTimeout = limit.toNanos();
            builder.probeTimeout(limit);
        }
        if (random.nextInt(3) == 0) {
            Duration longest = units(5);
            settings.backoffFactor = 1 + random.nextInt(4) / 2.0;
            settings.longestOpen = longest.toNanos();
            builder.openBackoff(settings.backoffFactor, longest);
        }
    }

    private void setWindow(CircuitBreaker.Builder builder, ReferenceBreaker.Settings settings) {
        switch (window) {
            case TOTALS -> {}
            case INTERVAL -> {
                Duration interval = units(1 + random.nextInt(4));
                settings.interval = interval.toNanos();
                builder.interval(interval);
            }
            case LAST_CALLS -> {
                settings.windowCalls = 1 + random.nextInt(10);
                builder.slidingWindow(settings.windowCalls);
            }
            case LAST_SPAN -> {
                settings.windowSpan = SPAN.toNanos();
                builder.slidingWindow(SPAN);
            }
        }
    }

    private void setRules(CircuitBreaker.Builder builder, ReferenceBreaker.Settings settings) {
        if (random.nextInt(3) == 0) {
            settings.failureRate = anyRate();
            settings.minimum = 1 + random.nextInt(8);
            builder.failureRate(settings.failureRate, settings.minimum);
        }
        if (random.nextInt(3) == 0) {
            settings.failuresThatTrip = 1 + random.nextInt(8);
            int failures = settings.failuresThatTrip;
            builder.readyToTrip(counts -> counts.totalFailures() >= failures);
        }
        if (random.nextInt(3) == 0) {
            settings.runThatTrips = 1 + random.nextInt(12);
            int run = settings.runThatTrips;
            builder.readyToTrip(counts -> counts.consecutiveFailures() >= run);
        }
        if (random.nextInt(3) == 0) {
            settings.slowerThan = UNIT.toNanos();
            settings.slowRate = anyRate();
            builder.slowCalls(UNIT, settings.slowRate);
        }
    }

    private static Duration units(int number) {
        return UNIT.multipliedBy(number);
    }

    // Steps

    private void step() {
        int die = random.nextInt(100);
        if (die < 40) {
            begin();
        } else if (die < 75) {
            end();
        } else if (die < 79) {
            endAgain();
        } else if (die < 82) {
            breakTicker();
        } else if (die < 94) {
            tick();
        } else if (die < 97) {
            update();
        } else {
            force();
        }
    }

    private void begin() {
        script.add("begin");
        long stamp = breaker.tryAcquire();
        ReferenceBreaker.Call call = reference.begin(now());
        check("admitted", stamp > 0, call != null);
        if (call != null) {
            begun.add(new Begun(stamp, call));
        } else if (random.nextBoolean()) {
            refuse();
            waitForIt();
        }
    }

    private void refuse() {
        script.add("execute");
        State state = reference.state();
        check("refused", reference.begin(now()), null);
        CallNotPermittedException refusal = BreakerTest.refusal(breaker);
        check("state in the refusal", refusal.state(), state);
        check("too many requests", refusal instanceof TooManyRequestsException, state == State.HALF_OPEN);
        if (state == State.OPEN) {
            check("retry after", refusal.retryAfter(), Duration.ofNanos(reference.timeLeft(now())));
        } else if (state == State.HALF_OPEN) {
            check("retry after", refusal.retryAfter(), Duration.ofNanos(reference.untilSlot(now())));
        }
    }

    /** Whatever the clock did before: after a refusal, a call is admitted within two open times or probe times. */
    private void waitForIt() {
        boolean open = reference.state() == State.OPEN;
        if ((open || reference.state() == State.HALF_OPEN) && random.nextInt(4) == 0) {
            Duration time = open ? breaker.diagnostics().timeout() : Duration.ofNanos(reference.settings.probeLimit());
            long stamp = -1;
            for (int i = 0; i < 2 && stamp < 0; i++) {
                script.add("wait " + time);
                ticker.advance(time);
                ReferenceBreaker.Call call = reference.begin(now());
                stamp = breaker.tryAcquire();
                check("admitted", stamp > 0, call != null);
                if (call != null) {
                    begun.add(new Begun(stamp, call));
                }
            }
            check("admitted after the wait", stamp > 0, true);
        }
    }

    /** Begins or ends a call while the ticker throws. */
    private void breakTicker() {
        ticker.breakWith(new InternalError("of the ticker"));
        try {
            if (random.nextBoolean() && !begun.isEmpty()) {
                script.add("without time");
                Begun call = begun.remove(random.nextInt(begun.size()));
                Outcome outcome = Outcome.any(random);
                script.add(outcome + " of " + Long.toHexString(call.stamp));
                reference.endWithoutTime(call.call, outcome, ticker.stoppedAt());
                outcome.tell(breaker, call.stamp);
                ended.add(call);
            } else {
                script.add("begin without time");
                beginWithoutTime();
            }
        } finally {
            ticker.mend();
        }
    }

    private void beginWithoutTime() {
        boolean thrown = false;
        long stamp = 0;
        try {
            stamp = breaker.tryAcquire();
        } catch (InternalError ofTheTicker) {
            thrown = true;
        }
        check("thrown", thrown, reference.needsTimeToBegin());
        if (!thrown) {
            ReferenceBreaker.Call call = reference.begin(ticker.stoppedAt());
            check("admitted", stamp > 0, call != null);
            if (call != null) {
                begun.add(new Begun(stamp, call));
            }
        }
    }

    /** Checks that the breaker, once closed again, can trip by failures in a row, whatever its rates and windows. */
    private void trip() {
        if (reference.settings.failuresThatTrip > 0) {
            return; // a user's rule may need more calls than the window holds
        }
        script.add("trip");
        breaker.reset();
        for (int i = 0; i < 12 && breaker.state() == State.CLOSED; i++) {
            breaker.onFailure(breaker.tryAcquire(), BreakerTest.FAILURE);
        }
        check("state after twelve failures in a row", breaker.state(), State.OPEN);
    }

    private void end() {
        if (!begun.isEmpty()) {
            Begun call = begun.remove(random.nextInt(begun.size()));
            Outcome outcome = random.nextInt(8) == 0
                    ? Outcome.IGNORED
                    : random.nextInt(5) < 2 ? Outcome.SUCCESS : Outcome.FAILURE;
            tell(call, outcome);
            ended.add(call);
        }
    }

    /**
     * Reports a second outcome of a probe. Only probes have that recognised, and only while their period is not long
     * ago.
     */
    private void endAgain() {
        List<Begun> probes = ended.stream()
                .filter(call -> call.call.probe)
                .filter(call -> reference.metrics(now()).generation() - call.call.generation <= 2)
                .toList();
        if (!probes.isEmpty()) {
            script.add("again");
            tell(probes.get(random.nextInt(probes.size())), Outcome.any(random));
        }
    }

    private void tell(Begun call, Outcome outcome) {
        script.add(outcome + " of " + (call.call.probe ? "probe " : "call ") + Long.toHexString(call.stamp));
        reference.end(call.call, outcome, now());
        outcome.tell(breaker, call.stamp);
    }

    private void tick() {
        boolean mayGoBack = window != Window.LAST_SPAN || reference.state() != State.CLOSED;
        boolean back = mayGoBack && random.nextInt(6) == 0;
        int far = random.nextInt(6) == 0 ? 300 : 1;
        Duration time = units(far * (back ? -1 - random.nextInt(3) : 1 + random.nextInt(4)));
        script.add("tick " + time);
        ticker.advance(time);
    }

    private void force() {
        State to = switch (random.nextInt(4)) {
            case 0 -> State.FORCED_OPEN;
            case 1 -> State.DISABLED;
            default -> State.CLOSED;
        };
        script.add("force " + to);
        reference.force(to, now());
        switch (to) {
            case FORCED_OPEN -> breaker.forceOpen();
            case DISABLED -> breaker.disable();
            default -> breaker.reset();
        }
    }

    private void update() {
        script.add("update");
        ReferenceBreaker.Settings settings = reference.settings;
        List<Consumer<SettingsUpdate>> changes = new ArrayList<>();
        List<Runnable> same = new ArrayList<>();
        if (random.nextInt(3) == 0) {
            Duration timeout = units(1 + random.nextInt(4));
            changes.add(change -> change.timeout(timeout));
            same.add(() -> reference.setTimeout(timeout.toNanos(), now()));
        }
        if (random.nextInt(3) == 0 && (window == Window.TOTALS || window == Window.INTERVAL)) {
            Duration interval = units(random.nextInt(4));
            changes.add(change -> change.interval(interval));
            same.add(() -> reference.setInterval(interval.toNanos(), now()));
        }
        if (random.nextInt(3) == 0) {
            int probes = 1 + random.nextInt(3);
            changes.add(change -> change.maxRequests(probes));
            same.add(() -> reference.setMaxRequests(probes));
        }
        if (random.nextInt(3) == 0) {
            int successes = 1 + random.nextInt(4);
            changes.add(change -> change.successesToClose(successes));
            same.add(() -> settings.successesToClose = successes);
        }
        if (random.nextInt(3) == 0) {
            Duration limit = units(1 + random.nextInt(4));
            changes.add(change -> change.probeTimeout(limit));
            same.add(() -> settings.probeTimeout = limit.toNanos());
        }
        boolean refused = false;
        if (random.nextInt(3) == 0) {
            double rate = anyRate();
            int minimum = 1 + random.nextInt(8);
            changes.add(change -> change.failureRate(rate, minimum));
            same.add(() -> {
                settings.failureRate = rate;
                settings.minimum = minimum;
            });
            refused = cannotTrip(settings, minimum);
        }
        checkRefused(refused, () -> breaker.update(change -> changes.forEach(next -> next.accept(change))));
        if (!refused) {
            same.forEach(Runnable::run);
        }
    }

    private long now() {
        return ticker.getAsLong();
    }

    private void compare() {
        check("told", changes, reference.changes);
        check("told in full", transitions, reference.transitions);
        check("metrics", breaker.metrics(), reference.metrics(now()));
        check("counts", breaker.counts(), reference.counts(now()));
        check("diagnostics", breaker.diagnostics(), reference.diagnostics(now()));
        changes.clear();
        reference.changes.clear();
        transitions.clear();
        reference.transitions.clear();
    }

    private static void check(String what, @Nullable Object actual, @Nullable Object expected) {
        if (!Objects.equals(actual, expected)) {
            throw new AssertionError(what + ": " + actual + " (expected: " + expected + ")");
        }
    }
}

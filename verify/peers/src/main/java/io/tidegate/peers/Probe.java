package io.tidegate.peers;

import io.tidegate.peers.LibraryBreaker.Call;
import io.tidegate.peers.LibraryBreaker.Clock;
import io.tidegate.peers.LibraryBreaker.Phase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The situations of a breaker, in the order of the table's rows. */
enum Probe implements Situation {
    LATE_SUCCESS("Half-open: a call admitted before the breaker opened succeeds") {
        @Override
        Finding on(Supplier<LibraryBreaker> breakers) {
            LibraryBreaker breaker = breakers.get();
            Call old = breaker.beginAdmitted();
            Call unused = breaker.tripAndBeginProbe();
            old.succeed();
            boolean waits = breaker.phase() == Phase.HALF_OPEN;
            return Finding.of(waits, waits ? "stays half-open" : "closes by the late success");
        }
    },

    IGNORED_OUTCOMES("Half-open: three calls admitted before the breaker opened end with an ignored exception") {
        @Override
        Finding on(Supplier<LibraryBreaker> breakers) {
            LibraryBreaker breaker = breakers.get();
            List<Call> old = Stream.generate(breaker::beginAdmitted).limit(3).toList();
            Call unused = breaker.tripAndBeginProbe();
            old.forEach(call -> call.fail(new Failures.Ignored()));
            if (breaker.phase() == Phase.CLOSED) {
                return Finding.of(false, "closes, takes them for successes");
            }
            long probes =
                    1 + IntStream.range(0, 10).filter(i -> breaker.admits()).count();
            return Finding.of(probes == 1, probes + (probes == 1 ? " probe" : " probes") + " at a limit of 1");
        }
    },

    HUNG_PROBE("Half-open: the probe never ends") {
        @Override
        Finding on(Supplier<LibraryBreaker> breakers) {
            LibraryBreaker breaker = breakers.get();
            Call unused = breaker.tripAndBeginProbe();
            for (int openTimes = 1; openTimes <= 3; openTimes++) {
                breaker.letOpenTimePass();
                if (breaker.admits()) {
                    return Finding.of(true, "admits another after " + openTimes + " × the open time");
                }
            }
            return Finding.of(false, "wedged, refuses after 3 × the open time");
        }
    },

    THROWING_RULE("Half-open: the rule that recognises failures throws for the probe's exception") {
        @Override
        Finding on(Supplier<LibraryBreaker> breakers) {
            LibraryBreaker breaker = breakers.get();
            breaker.trip();
            breaker.letOpenTimePass();
            RuntimeException own = new Failures.Puzzling();
            boolean unchanged = breaker.thrownBy(own).equals(own);
            String counted = switch (breaker.phase()) {
                case CLOSED -> "counts as a success";
                case OPEN -> "counts as a failure";
                case HALF_OPEN -> "counts as nothing";
            };
            breaker.letOpenTimePass();
            boolean goesOn = breaker.admits();
            return Finding.of(
                    unchanged && goesOn,
                    "the caller gets " + (unchanged ? "its own" : "the rule's") + " exception; "
                            + (goesOn ? counted : "wedged"));
        }
    },

    CLOCK_STEPS("Open: the clock is set back, or forward, by an hour") {
        @Override
        Finding on(Supplier<LibraryBreaker> breakers) {
            LibraryBreaker setBack = breakers.get();
            LibraryBreaker setOn = breakers.get();
            Clock back = setBack.clock();
            Clock on = setOn.clock();
            if (back == null || on == null) {
                return Finding.unknown("cannot be tested: no clock to inject");
            }
            setBack.trip();
            back.step(HOUR.negated());
            boolean changed = setBack.admits() || setBack.phase() != Phase.OPEN;
            setBack.letOpenTimePass();
            boolean longer = !setBack.admits();
            setOn.trip();
            on.step(HOUR);
            boolean early = setOn.admits();

            String fact = (back.isWallClock() ? "wall clock" : "monotonic clock")
                    + (changed ? "; back: lets a probe through" : "; back: no state change")
                    + (longer ? ", refuses for an hour more" : ", refuses for the open time")
                    + (early ? "; forward: lets a probe through" : "; forward: no state change");

            // A monotonic clock that jumps forward shows that time has passed, and no one sets it back.
            return Finding.of(!changed && !(back.isWallClock() && (longer || early)), fact);
        }
    },

    THOUSAND_THREADS("1,000 calls fail at one instant and are tried again; 1,000 more come after the open time") {
        @Override
        Finding on(Supplier<LibraryBreaker> breakers) throws Exception {
            for (int tries = 0; tries < 10; tries++) {
                LibraryBreaker breaker = breakers.get();
                AtomicLong start = new AtomicLong();
                List<Call> running =
                        Stream.generate(breaker::beginAdmitted).limit(THREADS).toList();
                int early = ManyThreads.count(THREADS, () -> start.set(System.nanoTime()), i -> {
                    running.get(i).fail(new Failures.Plain());
                    return breaker.admits();
                });
                if (breaker.isSurelyOpenSince(start.get())) {
                    return afterOpening(breaker, early);
                }
            }
            return Finding.unknown("cannot be tested: a thousand threads take longer than the open time");
        }

        private Finding afterOpening(LibraryBreaker breaker, int early) throws Exception {
            breaker.letOpenTimePass();
            int probes = ManyThreads.count(THREADS, () -> {}, i -> breaker.admits());
            int notified = breaker.notifications();
            return Finding.of(
                    early == 0 && probes == 1 && notified == 2,
                    early + " let through early; " + probes + " of 1 probe; " + notified + " of 2 notifications");
        }
    };

    private static final Duration HOUR = Duration.ofHours(1);
    private static final int THREADS = 1_000;

    private final String title;

    Probe(String title) {
        this.title = title;
    }

    @Override
    public String title() {
        return title;
    }

    /** Runs the situation with breakers of one library. */
    abstract Finding on(Supplier<LibraryBreaker> breakers) throws Exception;
}

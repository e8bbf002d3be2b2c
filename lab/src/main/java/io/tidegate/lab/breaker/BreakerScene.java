package io.tidegate.lab.breaker;

import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.State;
import io.tidegate.lab.Scene;
import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.load.Time;
import io.tidegate.lab.load.Trial;
import io.tidegate.lab.print.Screen;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** The same outage of the same service twice: unprotected, then behind a {@link CircuitBreaker}. */
public final class BreakerScene implements Scene {
    private final Outage outage;

    public BreakerScene(Outage outage) {
        this.outage = outage;
    }

    /**
     * The results of the run behind the breaker.
     *
     * @param outcomes what became of the calls
     * @param work what was sent to the service
     * @param states the states of the breaker
     * @param probes how many probes it sent
     * @param late how many outcomes came after the period in which their call was admitted
     */
    record Guarded(Outcomes outcomes, FailingWork work, StateLog states, long probes, long late) {}

    /** The results of the run without the breaker. */
    record Unprotected(Outcomes outcomes, FailingWork work) {}

    @Override
    public String name() {
        return "breaker";
    }

    @Override
    public String about() {
        return "a service that fails and recovers, without and with a CircuitBreaker";
    }

    @Override
    public void play(Screen screen) throws IOException, InterruptedException {
        BreakerReport report = new BreakerReport(outage);
        screen.out().println(report.opening());
        Unprotected open = runUnprotected(screen);
        Guarded guarded = runGuarded(screen);
        screen.out().println();
        screen.show(report.table(open, guarded));
        screen.out().println(new BreakerChart(outage).draw(open.work(), guarded.work(), guarded.states()));
        screen.out().println(report.finding(open, guarded));
    }

    Unprotected runUnprotected(Screen screen) throws IOException, InterruptedException {
        FailingWork work = new FailingWork(outage, Time.SYSTEM);
        Trial.Result result = new Trial("unprotected", outage.load(), work, Supplier::get).run(screen);
        return new Unprotected(result.outcomes(), work);
    }

    Guarded runGuarded(Screen screen) throws IOException, InterruptedException {
        FailingWork work = new FailingWork(outage, Time.SYSTEM);
        StateLog states = new StateLog(work::elapsed);
        LongAdder probes = new LongAdder();
        CircuitBreaker breaker = CircuitBreaker.builder("lab")
                .timeout(outage.openFor())
                .onStateChange(states)
                .build();
        Trial.Gate gate = request -> breaker.executeAsync(() -> {
            // With one probe at a time, no other call can end the half-open state meanwhile.
            if (breaker.state() == State.HALF_OPEN) {
                probes.increment();
            }
            return request.get();
        });
        Trial.Result result = new Trial("breaker", outage.load(), work, gate).run(screen);
        return new Guarded(
                result.outcomes(), work, states, probes.sum(), breaker.metrics().late());
    }
}

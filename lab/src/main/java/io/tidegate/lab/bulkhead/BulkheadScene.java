package io.tidegate.lab.bulkhead;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.lab.Scene;
import io.tidegate.lab.load.Trial;
import io.tidegate.lab.print.Screen;
import java.io.IOException;
import java.util.function.Supplier;

/** The same overload on the same service twice: unprotected, then behind an {@link AsyncBulkhead}. */
public final class BulkheadScene implements Scene {
    private final Overload overload;

    public BulkheadScene(Overload overload) {
        this.overload = overload;
    }

    @Override
    public String name() {
        return "bulkhead";
    }

    @Override
    public String about() {
        return "a service under " + Overload.FACTOR + " times its load, without and with an AsyncBulkhead";
    }

    @Override
    public void play(Screen screen) throws IOException, InterruptedException {
        BulkheadReport report = new BulkheadReport(overload);
        screen.out().println(report.opening());
        Trial.Result open = trial("unprotected", Supplier::get).run(screen);
        Trial.Result guarded = trial("bulkhead", bulkhead()::submit).run(screen);
        screen.out().println();
        screen.show(report.table(open, guarded));
        screen.out().println(report.finding(open, guarded));
    }

    private Trial trial(String title, Trial.Gate gate) {
        return new Trial(title, overload.load(), overload.newWork(), gate);
    }

    /*
     * A caller that gives up does not stop the work, so its place must stay taken until the service has answered: under
     * the default lifetime, time-outs would let more in than the service can work on.
     */
    private AsyncBulkhead bulkhead() {
        return AsyncBulkhead.builder(overload.capacity())
                .name("lab")
                .permitLifetime(PermitLifetime.OPERATION)
                .build();
    }
}

package io.tidegate.lab.play;

import io.tidegate.Registry;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.lab.load.Time;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A remote bulkhead whose cap is changed under load. */
final class DrainStage implements Stage {
    static final String NAME = "remote";
    static final int CAP = 16;
    static final int LOWERED = 4;

    /** This many calls a second, of 400 ms each, need 12 places. */
    private static final int RATE = 30;

    private static final int MOST_RATE = 60;
    private static final int LATENCY_MILLIS = 400;
    private static final int MAY_WAIT = 16;
    private static final int WAIT_MILLIS = 500;

    private final Registry registry;
    private final Caller caller;
    private final RemoteBulkhead bulkhead = RemoteBulkhead.builder(CAP)
            .name("payments")
            .policy(BackpressurePolicy.queue(MAY_WAIT, WAIT_MILLIS))
            .build();
    private final RemoteBulkheadClient client = RemoteBulkheadClient.builder(bulkhead)
            .permitLifetime(PermitLifetime.OPERATION)
            .build();
    private final RemoteCapability capability = client.takeCapability();
    private final AtomicLong numbers = new AtomicLong();
    private final Lane lane;
    private volatile int rate = RATE;

    DrainStage(Registry registry, Time time) throws IOException {
        this.registry = registry;
        ServiceWork work = new ServiceWork();
        work.capacity(CAP);
        work.latency(LATENCY_MILLIS);
        this.caller = new Caller(work);
        registry.add(client);
        this.lane = new Lane(
                "Behind the remote bulkhead",
                () -> client.submit(capability, "call-" + numbers.incrementAndGet(), caller::call),
                caller::inside,
                time);
    }

    @Override
    public List<Slider> sliders() {
        return List.of(
                new Slider("cap", "Cap", "calls at once", 1, CAP, bulkhead::maxInFlight, this::cap),
                new Slider(
                        "offered", "Offered load", "calls a second", 0, MOST_RATE, () -> rate, value -> rate = value));
    }

    void cap(int cap) {
        client.setMaxInFlight(cap);
    }

    int inFlight() {
        return bulkhead.inFlight();
    }

    Lane lane() {
        return lane;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String title() {
        return "A cap that is turned under load";
    }

    @Override
    public void tick() {
        lane.send(rate);
    }

    @Override
    public List<Lane> lanes() {
        return List.of(lane);
    }

    @Override
    public void close() {
        registry.remove(client);
        caller.close();
    }
}

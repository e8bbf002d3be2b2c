package io.tidegate.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The contract in its simplest form, for one thread: lists that are searched, and a sort for each p99. Each broken
 * variant overrides one of its small methods.
 */
public class ReferenceBulkhead implements RemoteBulkhead {
    /** The issuer that permits need. Here a list of the permits that are out decides which of them are valid. */
    private static final Admission ISSUER = new Admission(new RemoteBulkheadBuilder(1), new EventLog(1, null));

    /** The settings of a bulkhead. */
    public record Settings(
            int maxInFlight, BackpressurePolicy policy, long p99TargetMs, int eventCapacity, int latencyWindow) {}

    /** A request in the queue. */
    protected record Waiting(String requestId, long since) {}

    private final Settings settings;
    private final Consumer<? super BulkheadEvent> sink;
    private final int maxDepth;
    private final long timeoutMs;
    private final List<Waiting> queue = new ArrayList<>();
    private final List<String> untold = new ArrayList<>();
    private final List<BulkheadPermit> out = new ArrayList<>();
    private final List<BulkheadEvent> everyEvent = new ArrayList<>();
    private final List<ForegroundLatencySample> samples = new ArrayList<>();
    private int cap;
    private int inFlight;
    private OptionalInt target = OptionalInt.empty();
    private long lastPermitId;
    private long latestMs;

    public ReferenceBulkhead(Settings settings, Consumer<? super BulkheadEvent> sink) {
        this.settings = settings;
        this.sink = sink;
        this.cap = settings.maxInFlight;
        boolean queues = settings.policy instanceof BackpressurePolicy.Queue;
        this.maxDepth = queues ? ((BackpressurePolicy.Queue) settings.policy).maxDepth() : 0;
        this.timeoutMs = queues ? ((BackpressurePolicy.Queue) settings.policy).timeoutMs() : 0;
    }

    // What broken variants override

    protected boolean mustQueueBehind(List<Waiting> queue) {
        return !queue.isEmpty();
    }

    protected boolean hasExpired(Waiting waiting, long nowMs, long timeoutMs) {
        return nowMs > waiting.since && nowMs - waiting.since >= timeoutMs;
    }

    protected boolean endsDraining(int inFlight, int target) {
        return inFlight < target;
    }

    protected boolean mayComeBack(BulkheadPermit permit, List<BulkheadPermit> out) {
        return out.contains(permit);
    }

    protected boolean startsDraining(int inFlight, int newCap) {
        return inFlight > newCap;
    }

    // Operations

    @Override
    public AcquireResult acquire(boolean hasRemoteCap, String requestId, long nowMs) {
        if (requestId.isBlank()) {
            throw new IllegalArgumentException("requestId");
        }
        see(nowMs);
        if (!hasRemoteCap) {
            return reject(new BulkheadError.RemoteCapRequired(), requestId, nowMs);
        }
        evict(nowMs);
        if (place(requestId) > 0 || untold.contains(requestId)) {
            return polled(requestId, nowMs);
        }
        if (target.isPresent()) {
            event(BulkheadEventCode.RB_DRAIN_ACTIVE, nowMs, "target=" + target.getAsInt());
            return reject(new BulkheadError.Draining(inFlight, target.getAsInt()), requestId, nowMs);
        }
        boolean full = inFlight >= cap;
        if (!full && !mustQueueBehind(queue)) {
            return grant(requestId, nowMs);
        }
        if (full) {
            event(BulkheadEventCode.RB_AT_CAPACITY, nowMs, "request=" + requestId);
        }
        if (settings.policy instanceof BackpressurePolicy.Reject) {
            return reject(new BulkheadError.AtCapacity(cap, inFlight), requestId, nowMs);
        }
        if (queue.size() == maxDepth) {
            return reject(new BulkheadError.QueueSaturated(maxDepth), requestId, nowMs);
        }
        queue.add(new Waiting(requestId, nowMs));
        event(BulkheadEventCode.RB_REQUEST_QUEUED, nowMs, "position=" + queue.size() + " request=" + requestId);
        return refused(new BulkheadError.Queued(requestId, queue.size(), timeoutMs));
    }

    @Override
    public AcquireResult pollQueued(String requestId, long nowMs) {
        see(nowMs);
        evict(nowMs);
        return polled(requestId, nowMs);
    }

    private AcquireResult polled(String requestId, long nowMs) {
        int place = place(requestId);
        if (place == 0) {
            return refused(
                    untold.remove(requestId)
                            ? new BulkheadError.QueueTimeout(requestId)
                            : new BulkheadError.UnknownRequest(requestId));
        }
        if (place == 1 && inFlight < cap && target.isEmpty()) {
            queue.remove(0);
            return grant(requestId, nowMs);
        }
        return refused(new BulkheadError.Queued(requestId, place, timeoutMs));
    }

    private void evict(long nowMs) {
        for (Waiting waiting : List.copyOf(queue)) {
            if (hasExpired(waiting, nowMs, timeoutMs)) {
                queue.remove(waiting);
                untold.add(waiting.requestId);
                rejected("RB_ERR_QUEUE_TIMEOUT", waiting.requestId, nowMs);
            }
        }
        while (untold.size() > maxDepth) {
            untold.remove(0);
        }
    }

    @Override
    public boolean cancelQueued(String requestId, long nowMs) {
        see(nowMs);
        untold.remove(requestId);
        int place = place(requestId);
        if (place == 0) {
            return false;
        }
        queue.remove(place - 1);
        rejected("CANCELLED", requestId, nowMs);
        return true;
    }

    @Override
    public void release(BulkheadPermit permit, long nowMs) {
        requireTime(nowMs);
        if (!mayComeBack(permit, out)) {
            throw new BulkheadException(new BulkheadError.UnknownPermit(permit.permitId()));
        }
        see(nowMs);
        out.remove(permit);
        inFlight--;
        if (target.isPresent() && endsDraining(inFlight, target.getAsInt())) {
            target = OptionalInt.empty();
        }
        event(BulkheadEventCode.RB_PERMIT_RELEASED, nowMs, "permit=" + permit.permitId());
        drainEvent(nowMs);
    }

    @Override
    public void setMaxInFlight(int newCap, long nowMs) {
        if (newCap < 1) {
            throw new BulkheadException(new BulkheadError.InvalidConfig("newCap"));
        }
        see(nowMs);
        if (newCap == cap) {
            return;
        }
        int oldCap = cap;
        cap = newCap;
        target = startsDraining(inFlight, newCap) ? OptionalInt.of(newCap) : OptionalInt.empty();
        event(BulkheadEventCode.RB_CAP_CHANGED, nowMs, "from=" + oldCap + " to=" + newCap);
        drainEvent(nowMs);
    }

    private void drainEvent(long nowMs) {
        if (target.isPresent()) {
            event(BulkheadEventCode.RB_DRAIN_ACTIVE, nowMs, "target=" + target.getAsInt());
        }
    }

    @Override
    public void recordForegroundLatency(long latencyMs) {
        recordForegroundLatency(latencyMs, latestMs);
    }

    @Override
    public void recordForegroundLatency(long latencyMs, long nowMs) {
        if (latencyMs < 0) {
            throw new IllegalArgumentException("latencyMs");
        }
        see(nowMs);
        samples.add(new ForegroundLatencySample(inFlight, latencyMs));
        event(BulkheadEventCode.RB_LATENCY_REPORT, nowMs, "latencyMs=" + latencyMs);
    }

    private AcquireResult grant(String requestId, long nowMs) {
        inFlight++;
        lastPermitId++;
        BulkheadPermit permit = new BulkheadPermit(ISSUER, lastPermitId, nowMs, cap);
        out.add(permit);
        event(BulkheadEventCode.RB_PERMIT_ACQUIRED, nowMs, "permit=" + lastPermitId + " request=" + requestId);
        return new AcquireResult.Granted(permit);
    }

    private AcquireResult reject(BulkheadError error, String requestId, long nowMs) {
        rejected(error.code(), requestId, nowMs);
        return refused(error);
    }

    private void rejected(String reason, String requestId, long nowMs) {
        event(BulkheadEventCode.RB_REQUEST_REJECTED, nowMs, "reason=" + reason + " request=" + requestId);
    }

    private static AcquireResult refused(BulkheadError error) {
        return new AcquireResult.Refused(error);
    }

    private void event(BulkheadEventCode code, long nowMs, String detail) {
        BulkheadEvent event = new BulkheadEvent(code, nowMs, inFlight, cap, detail);
        everyEvent.add(event);
        sink.accept(event);
    }

    private int place(String requestId) {
        for (int i = 0; i < queue.size(); i++) {
            if (queue.get(i).requestId.equals(requestId)) {
                return i + 1;
            }
        }
        return 0;
    }

    private void see(long nowMs) {
        requireTime(nowMs);
        latestMs = Math.max(latestMs, nowMs);
    }

    private static void requireTime(long nowMs) {
        if (nowMs < 0) {
            throw new IllegalArgumentException("nowMs");
        }
    }

    // Looking

    @Override
    public OptionalLong p99ForegroundLatencyMs() {
        List<ForegroundLatencySample> kept = latencySamples();
        int rank = (int) Math.ceil(99 * kept.size() / 100.0);
        return kept.stream()
                .mapToLong(ForegroundLatencySample::latencyMs)
                .sorted()
                .skip(Math.max(0, rank - 1))
                .findFirst();
    }

    @Override
    public boolean latencyWithinTarget() {
        return p99ForegroundLatencyMs().orElse(0) <= settings.p99TargetMs;
    }

    @Override
    public int maxInFlight() {
        return cap;
    }

    @Override
    public int inFlight() {
        return inFlight;
    }

    @Override
    public int queueDepth() {
        return queue.size();
    }

    @Override
    public OptionalInt drainingTarget() {
        return target;
    }

    @Override
    public BackpressurePolicy policy() {
        return settings.policy;
    }

    @Override
    public long p99TargetMs() {
        return settings.p99TargetMs;
    }

    @Override
    public List<BulkheadEvent> events() {
        return last(settings.eventCapacity, everyEvent);
    }

    @Override
    public long droppedEvents() {
        return Math.max(0, everyEvent.size() - settings.eventCapacity);
    }

    @Override
    public List<ForegroundLatencySample> latencySamples() {
        return last(settings.latencyWindow, samples);
    }

    private static <T> List<T> last(int number, List<T> list) {
        return list.subList(Math.max(0, list.size() - number), list.size());
    }

    /** Returns all events so far, oldest first: those that a sink must have got. */
    List<BulkheadEvent> everyEvent() {
        return everyEvent;
    }

    /** Returns when the requests in the queue came. */
    List<Long> waitingSince() {
        return queue.stream().map(Waiting::since).toList();
    }
}

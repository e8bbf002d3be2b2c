package io.tidegate.testkit;

import io.tidegate.remote.AcquireResult;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadEventCode;
import io.tidegate.remote.BulkheadException;
import io.tidegate.remote.BulkheadPermit;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;

/**
 * Shows that a log is true, independent of the audit: derives from it what callers may have done, does that to a real
 * bulkhead, and compares the logs.
 */
final class LogWitness {
    private static final String STRANGER = "(nobody)";
    private static final ScheduledExecutorService NEVER = (ScheduledExecutorService) Proxy.newProxyInstance(
            LogWitness.class.getClassLoader(),
            new Class<?>[] {ScheduledExecutorService.class},
            (proxy, method, args) -> null);

    private final List<BulkheadEvent> log;
    private final List<BulkheadEvent> written = new ArrayList<>();
    private final Set<String> waiting = new HashSet<>();
    private final Map<Long, BulkheadPermit> permits = new HashMap<>();
    private final Map<Long, CompletableFuture<?>> clientPermits = new HashMap<>();
    private final Map<String, CompletableFuture<?>> clientRequests = new HashMap<>();
    private final Set<Integer> byClient; // the events with which requests of a client begin to wait
    private final RemoteBulkhead bulkhead;
    private final RemoteBulkheadClient client;
    private final RemoteCapability capability;
    private long clientMs;

    private LogWitness(List<BulkheadEvent> log, Set<Integer> byClient) {
        this.log = log;
        this.byClient = byClient;
        BulkheadEvent first = log.get(0);
        boolean changed = first.eventCode() == BulkheadEventCode.RB_CAP_CHANGED;
        this.bulkhead = RemoteBulkhead.builder(changed ? detail(0).count("from") : first.maxInFlight())
                .policy(policy())
                .eventCapacity(1)
                .eventSink(written::add)
                .build();
        this.client = RemoteBulkheadClient.builder(bulkhead)
                .clock(() -> clientMs)
                .executor(Runnable::run)
                .scheduler(NEVER)
                .build();
        this.capability = client.takeCapability();
    }

    /** Whether a bulkhead that is used without a client may have written the log. */
    static boolean isByHand(List<BulkheadEvent> log) {
        return isWritten(log, Set.of());
    }

    /** Whether a bulkhead may have written the log if up to two of the waiting requests were a client's. */
    static boolean isWithClient(List<BulkheadEvent> log) {
        int[] queued = IntStream.range(0, log.size())
                .filter(i -> log.get(i).eventCode() == BulkheadEventCode.RB_REQUEST_QUEUED)
                .toArray();
        return IntStream.of(queued)
                .anyMatch(one -> IntStream.of(queued)
                        .anyMatch(other -> other >= one && isWritten(log, new HashSet<>(List.of(one, other)))));
    }

    private static boolean isWritten(List<BulkheadEvent> log, Set<Integer> byClient) {
        try {
            return new LogWitness(log, byClient).writesIt();
        } catch (IllegalArgumentException | BulkheadException impossible) {
            return false;
        }
    }

    private EventDetail detail(int index) {
        return EventDetail.of(log.get(index).detail());
    }

    private boolean writesIt() {
        for (int i = 0; i < log.size(); i++) {
            if (written.size() == i) {
                act(i);
            }
            if (written.size() <= i || !written.get(i).equals(log.get(i))) {
                return false;
            }
            follow(i);
        }
        return written.size() == log.size();
    }

    /* Does what may have caused this event, and perhaps the next ones. */
    private void act(int index) {
        EventDetail detail = detail(index);
        long nowMs = log.get(index).nowMs();
        switch (log.get(index).eventCode()) {
            case RB_PERMIT_ACQUIRED, RB_AT_CAPACITY, RB_REQUEST_QUEUED -> {
                String request = detail.text("request");
                if (byClient.contains(index) || byClient.contains(index + 1)) {
                    clientMs = nowMs;
                    CompletableFuture<String> operation = new CompletableFuture<>();
                    clientRequests.put(
                            request,
                            client.submit(capability, request, () -> operation).toCompletableFuture());
                } else {
                    come(request, nowMs);
                }
            }
            case RB_PERMIT_RELEASED -> {
                long number = detail.number("permit");
                if (permits.containsKey(number)) {
                    bulkhead.release(permits.get(number), nowMs);
                } else if (clientPermits.containsKey(number)) {
                    clientMs = nowMs;
                    clientPermits.get(number).cancel(false);
                }
            }
            case RB_REQUEST_REJECTED -> reject(detail.text("reason"), detail.text("request"), nowMs);
            case RB_CAP_CHANGED -> bulkhead.setMaxInFlight(detail.count("to"), nowMs);
            case RB_DRAIN_ACTIVE -> {
                if (index + 1 < log.size() && log.get(index + 1).detail().contains("request=")) {
                    come(detail(index + 1).text("request"), nowMs);
                }
            }
            case RB_LATENCY_REPORT -> bulkhead.recordForegroundLatency(detail.number("latencyMs"), nowMs);
        }
    }

    private void come(String request, long nowMs) {
        if (!waiting.contains(request)) {
            bulkhead.cancelQueued(request, nowMs); // belongs to an earlier wait that ended without an event
        }
        if (bulkhead.acquire(true, request, nowMs) instanceof AcquireResult.Granted granted) {
            permits.put(granted.permit().permitId(), granted.permit());
        }
    }

    private void reject(String reason, String request, long nowMs) {
        switch (reason) {
            case "RB_ERR_NO_REMOTECAP" -> bulkhead.acquire(false, request, nowMs);
            case "CANCELLED" -> bulkhead.cancelQueued(request, nowMs);
            case "RB_ERR_QUEUE_TIMEOUT" -> bulkhead.pollQueued(STRANGER, nowMs);
            default -> come(request, nowMs);
        }
    }

    private void follow(int index) {
        EventDetail detail = detail(index);
        switch (log.get(index).eventCode()) {
            case RB_REQUEST_QUEUED -> waiting.add(detail.text("request"));
            case RB_PERMIT_ACQUIRED -> {
                String request = detail.text("request");
                if (clientRequests.containsKey(request) && waiting.contains(request)) {
                    clientPermits.put(detail.number("permit"), clientRequests.remove(request));
                }
                waiting.remove(request);
            }
            case RB_REQUEST_REJECTED -> {
                if (leaves(detail.text("reason"))) {
                    waiting.remove(detail.text("request"));
                    clientRequests.remove(detail.text("request"));
                }
            }
            default -> {}
        }
    }

    private static boolean leaves(String reason) {
        return reason.equals("RB_ERR_QUEUE_TIMEOUT") || reason.equals("CANCELLED");
    }

    /*
     * Returns the deepest queue and the longest time-out that the log allows. If any policy fits the log, this one
     * does.
     */
    private BackpressurePolicy policy() {
        Map<String, Long> line = new LinkedHashMap<>();
        boolean rejects = false;
        int depth = Integer.MAX_VALUE;
        long timeoutMs = Long.MAX_VALUE;
        for (BulkheadEvent event : log) {
            String request = EventDetail.of(event.detail()).pairs().getOrDefault("request", "");
            String reason = EventDetail.of(event.detail()).pairs().getOrDefault("reason", "");
            switch (event.eventCode()) {
                case RB_REQUEST_QUEUED -> line.put(request, event.nowMs());
                case RB_PERMIT_ACQUIRED -> line.remove(request);
                case RB_REQUEST_REJECTED -> {
                    rejects |= reason.equals("RB_ERR_AT_CAPACITY");
                    depth = reason.equals("RB_ERR_QUEUE_SATURATED") ? line.size() : depth;
                    if (reason.equals("RB_ERR_QUEUE_TIMEOUT") && line.containsKey(request)) {
                        timeoutMs = Math.min(timeoutMs, event.nowMs() - line.get(request));
                    }
                    if (leaves(reason)) {
                        line.remove(request);
                    }
                }
                default -> {}
            }
        }
        return rejects ? BackpressurePolicy.reject() : BackpressurePolicy.queue(depth, timeoutMs);
    }
}

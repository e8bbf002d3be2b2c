package io.tidegate.outside;

import io.tidegate.remote.AcquireResult;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadError;
import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadEventCode;
import io.tidegate.remote.BulkheadException;
import io.tidegate.remote.BulkheadPermit;
import io.tidegate.remote.ForegroundLatencySample;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A program that uses the remote bulkhead. */
abstract class RemoteBulkheadNames {
    List<RemoteBulkhead> make(Consumer<Object> sink) {
        BackpressurePolicy reject = BackpressurePolicy.reject();
        BackpressurePolicy queue = BackpressurePolicy.queue(10, 1_000);
        RemoteBulkhead.Builder builder = RemoteBulkhead.builder(4)
                .policy(reject)
                .p99TargetMs(50)
                .eventCapacity(1_024)
                .latencyWindow(1_024)
                .eventSink(sink)
                .eventSink((BulkheadEvent event) -> {});
        return List.of(RemoteBulkhead.create(4, queue, 50L), builder.build());
    }

    long policy(BackpressurePolicy policy) {
        if (policy instanceof BackpressurePolicy.Queue queue) {
            int maxDepth = queue.maxDepth();
            long timeoutMs = queue.timeoutMs();
            return new BackpressurePolicy.Queue(maxDepth, timeoutMs).equals(policy) ? timeoutMs : 0;
        }
        return new BackpressurePolicy.Reject().equals(policy) ? 1 : 0;
    }

    long work(RemoteBulkhead bulkhead) {
        AcquireResult result = bulkhead.acquire(true, "r1", 5L);
        result = bulkhead.pollQueued("r1", 6L);
        boolean cancelled = bulkhead.cancelQueued("r1", 7L);
        BulkheadPermit permit = result.orElseThrow();
        if (result instanceof AcquireResult.Granted granted) {
            permit = granted.permit();
        }
        BulkheadError error = result instanceof AcquireResult.Refused refused ? refused.error() : told("r1");
        bulkhead.release(permit, 8L);
        bulkhead.setMaxInFlight(3, 9L);
        bulkhead.recordForegroundLatency(10L);
        bulkhead.recordForegroundLatency(10L, 11L);
        long permitId = permit.permitId();
        long issuedAtMs = permit.issuedAtMs();
        int capSnapshot = permit.capSnapshot();
        return permitId + issuedAtMs + capSnapshot + error.code().length() + (cancelled ? 1 : 0);
    }

    List<Object> look(RemoteBulkhead bulkhead) {
        OptionalLong p99 = bulkhead.p99ForegroundLatencyMs();
        boolean within = bulkhead.latencyWithinTarget();
        int maxInFlight = bulkhead.maxInFlight();
        int inFlight = bulkhead.inFlight();
        int queueDepth = bulkhead.queueDepth();
        OptionalInt drainingTarget = bulkhead.drainingTarget();
        BackpressurePolicy policy = bulkhead.policy();
        long p99TargetMs = bulkhead.p99TargetMs();
        List<BulkheadEvent> events = bulkhead.events();
        long droppedEvents = bulkhead.droppedEvents();
        List<ForegroundLatencySample> samples = bulkhead.latencySamples();
        ForegroundLatencySample sample = new ForegroundLatencySample(
                samples.get(0).inFlight(), samples.get(0).latencyMs());
        long sum = maxInFlight + inFlight + queueDepth + p99TargetMs + droppedEvents;
        return List.of(p99, within, drainingTarget, policy, event(events.get(0)), sample, sum);
    }

    private static BulkheadEvent event(BulkheadEvent event) {
        BulkheadEventCode code = event.eventCode();
        long nowMs = event.nowMs();
        int inFlight = event.inFlight();
        int maxInFlight = event.maxInFlight();
        String detail = event.detail();
        return new BulkheadEvent(code, nowMs, inFlight, maxInFlight, detail);
    }

    int code(BulkheadEventCode code) {
        return switch (code) {
            case RB_PERMIT_ACQUIRED -> 0;
            case RB_PERMIT_RELEASED -> 1;
            case RB_AT_CAPACITY -> 2;
            case RB_REQUEST_QUEUED -> 3;
            case RB_REQUEST_REJECTED -> 4;
            case RB_CAP_CHANGED -> 5;
            case RB_DRAIN_ACTIVE -> 6;
            case RB_LATENCY_REPORT -> 7;
        };
    }

    String code(BulkheadException refusal) {
        RuntimeException thrown = refusal;
        BulkheadError error = refusal.error();
        return thrown.getMessage() + refusal.code() + error.code();
    }

    private static BulkheadError told(String requestId) {
        return new BulkheadError.UnknownRequest(requestId);
    }

    List<Object> fields(BulkheadError error) {
        if (error instanceof BulkheadError.RemoteCapRequired) {
            return List.of(new BulkheadError.RemoteCapRequired());
        } else if (error instanceof BulkheadError.AtCapacity full) {
            return List.of(new BulkheadError.AtCapacity(full.cap(), full.inFlight()));
        } else if (error instanceof BulkheadError.QueueSaturated saturated) {
            return List.of(new BulkheadError.QueueSaturated(saturated.maxDepth()));
        } else if (error instanceof BulkheadError.Queued queued) {
            return List.of(new BulkheadError.Queued(queued.requestId(), queued.position(), queued.timeoutMs()));
        } else if (error instanceof BulkheadError.QueueTimeout late) {
            return List.of(new BulkheadError.QueueTimeout(late.requestId()));
        } else if (error instanceof BulkheadError.UnknownRequest unknown) {
            return List.of(new BulkheadError.UnknownRequest(unknown.requestId()));
        } else if (error instanceof BulkheadError.UnknownPermit unknown) {
            return List.of(new BulkheadError.UnknownPermit(unknown.permitId()));
        } else if (error instanceof BulkheadError.Draining draining) {
            return List.of(new BulkheadError.Draining(draining.inFlight(), draining.targetCap()));
        } else if (error instanceof BulkheadError.InvalidConfig invalid) {
            return List.of(new BulkheadError.InvalidConfig(invalid.reason()));
        }
        return List.of();
    }

    CompletionStage<Number> submit(RemoteBulkhead bulkhead, Supplier<CompletableFuture<Number>> operation) {
        RemoteBulkheadClient client = RemoteBulkheadClient.of(bulkhead);
        RemoteCapability capability = client.takeCapability();
        return client.submit(capability, "r1", operation);
    }
}

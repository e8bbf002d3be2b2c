package io.tidegate.remote.lincheck;

import io.tidegate.remote.AcquireResult;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadPermit;
import io.tidegate.remote.RemoteBulkhead;
import java.util.function.Supplier;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;

/** Three requests to one machine, at the time 0 or at the end of a wait that began at 0. */
@Param(name = "request", gen = IntGen.class, conf = "0:2")
@Param(name = "waits", gen = IntGen.class, conf = "0:1")
@Param(name = "cap", gen = IntGen.class, conf = "1:3")
public class Requests {
    static final int CAP = 2;
    static final int DEPTH = 2;
    static final long TIMEOUT_MS = 100;

    private final RemoteBulkhead bulkhead = RemoteBulkhead.builder(CAP)
            .policy(BackpressurePolicy.queue(DEPTH, TIMEOUT_MS))
            .eventCapacity(4)
            .latencyWindow(1)
            .build();
    private final Request[] requests = {new Request(), new Request(), new Request()};

    @Operation
    public String acquire(@Param(name = "request") int request, @Param(name = "waits") int waits) {
        return requests[request].ask(() -> bulkhead.acquire(true, name(request), waits * TIMEOUT_MS));
    }

    @Operation
    public String poll(@Param(name = "request") int request, @Param(name = "waits") int waits) {
        return requests[request].ask(() -> bulkhead.pollQueued(name(request), waits * TIMEOUT_MS));
    }

    @Operation
    public boolean cancel(@Param(name = "request") int request) {
        return bulkhead.cancelQueued(name(request), 0);
    }

    @Operation
    public boolean release(@Param(name = "request") int request) {
        return requests[request].release(bulkhead);
    }

    @Operation
    public void setMaxInFlight(@Param(name = "cap") int cap) {
        bulkhead.setMaxInFlight(cap, 0);
    }

    @Operation
    public int inFlight() {
        return bulkhead.inFlight();
    }

    @Operation
    public int queueDepth() {
        return bulkhead.queueDepth();
    }

    @Operation
    public String drainingTarget() {
        return bulkhead.drainingTarget().toString();
    }

    static String name(int request) {
        return "request " + request;
    }

    private static final class Request {
        private @Nullable BulkheadPermit permit;

        synchronized String ask(Supplier<AcquireResult> question) {
            if (permit != null) {
                return "has its permit";
            }
            AcquireResult answer = question.get();
            if (answer instanceof AcquireResult.Granted granted) {
                permit = granted.permit();
                return "permit " + permit.permitId() + " of " + permit.capSnapshot();
            }
            return ((AcquireResult.Refused) answer).error().code();
        }

        synchronized boolean release(RemoteBulkhead bulkhead) {
            if (permit == null) {
                return false;
            }
            bulkhead.release(permit, 0);
            permit = null;
            return true;
        }
    }
}

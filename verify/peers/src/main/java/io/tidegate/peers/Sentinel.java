package io.tidegate.peers;

import com.alibaba.csp.sentinel.AsyncEntry;
import com.alibaba.csp.sentinel.Entry;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.Tracer;
import com.alibaba.csp.sentinel.log.LogBase;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.RuleConstant;
import com.alibaba.csp.sentinel.slots.block.degrade.DegradeRule;
import com.alibaba.csp.sentinel.slots.block.degrade.DegradeRuleManager;
import com.alibaba.csp.sentinel.slots.block.degrade.circuitbreaker.CircuitBreaker.State;
import com.alibaba.csp.sentinel.slots.block.degrade.circuitbreaker.EventObserverRegistry;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Sentinel's breaker. It has no ignored exceptions: a call whose exception is not reported to it is a success. */
final class Sentinel implements LibraryBreaker {
    private static final AtomicInteger NAMES = new AtomicInteger();

    static {
        System.setProperty(LogBase.LOG_DIR, "target/sentinel");
        // the folder of its log, which is otherwise the home folder
        System.setProperty("JM.LOG.PATH", "target/sentinel");
        Tracer.setExceptionPredicate(Failures::isFailure);
    }

    private final String resource = "peers-" + NAMES.incrementAndGet();
    private final AtomicInteger notifications = new AtomicInteger();
    private volatile State state = State.CLOSED;

    Sentinel() {
        DegradeRuleManager.setRulesForResource(
                resource,
                Set.of(new DegradeRule(resource)
                        .setGrade(RuleConstant.DEGRADE_GRADE_EXCEPTION_COUNT)
                        .setCount(0)
                        .setMinRequestAmount(1)
                        .setTimeWindow((int) OPEN_TIME.toSeconds())));
        EventObserverRegistry.getInstance().addStateChangeObserver(resource, (from, to, rule, value) -> {
            if (rule.getResource().equals(resource)) {
                state = to;
                notifications.incrementAndGet();
            }
        });
    }

    @Override
    public @Nullable Call begin() {
        AsyncEntry entry;
        try {
            entry = SphU.asyncEntry(resource);
        } catch (BlockException refused) {
            return null;
        }
        return new Call() {
            @Override
            public void succeed() {
                entry.exit();
            }

            @Override
            public void fail(RuntimeException error) {
                Tracer.traceEntry(error, entry);
                entry.exit();
            }
        };
    }

    @Override
    public String execute(Callable<String> call) throws Exception {
        Entry entry = SphU.entry(resource);
        try {
            return call.call();
        } catch (Throwable error) {
            Tracer.traceEntry(error, entry);
            throw error;
        } finally {
            entry.exit();
        }
    }

    @Override
    public Phase phase() {
        return Phase.valueOf(state.name());
    }

    @Override
    public int notifications() {
        return notifications.get();
    }

    @Override
    public @Nullable Clock clock() {
        return null;
    }
}

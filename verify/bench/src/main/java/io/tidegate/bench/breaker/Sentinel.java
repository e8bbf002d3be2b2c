package io.tidegate.bench.breaker;

import com.alibaba.csp.sentinel.Entry;
import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.Tracer;
import com.alibaba.csp.sentinel.log.LogBase;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.RuleConstant;
import com.alibaba.csp.sentinel.slots.block.degrade.DegradeRule;
import com.alibaba.csp.sentinel.slots.block.degrade.DegradeRuleManager;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Sentinel, whose window is counted anew when it is over. */
public class Sentinel extends CallBenchmark {
    private static final AtomicInteger RESOURCES = new AtomicInteger();

    static {
        System.setProperty(LogBase.LOG_DIR, "target/sentinel");
        // the folder of its log, which is otherwise the home folder
        System.setProperty("JM.LOG.PATH", "target/sentinel");
    }

    /** A new resource each time, because a breaker exists as long as its resource. */
    private final String resource = NAME + RESOURCES.incrementAndGet();

    @Override
    void build(Window counted) {
        if (counted != Window.EVERY_10_S) {
            throw new IllegalArgumentException("has only a window that tumbles");
        }
        DegradeRuleManager.setRulesForResource(
                resource,
                Set.of(new DegradeRule(resource)
                        .setGrade(RuleConstant.DEGRADE_GRADE_EXCEPTION_RATIO)
                        .setCount(0.9)
                        .setMinRequestAmount(100)
                        .setStatIntervalMs(10_000)
                        .setTimeWindow(OPEN_SECONDS)));
    }

    @Override
    Object succeed() {
        try {
            SphU.entry(resource).exit();
            return true;
        } catch (BlockException refused) {
            return refused;
        }
    }

    @Override
    Object fail() {
        try {
            Entry entry = SphU.entry(resource);
            Tracer.traceEntry(failure, entry);
            entry.exit();
            return true;
        } catch (BlockException refused) {
            return refused;
        }
    }
}

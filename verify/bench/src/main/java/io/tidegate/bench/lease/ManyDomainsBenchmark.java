package io.tidegate.bench.lease;

import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The same cycle, each time in a different one of a million domains. */
@State(Scope.Benchmark)
@Fork(jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
public abstract class ManyDomainsBenchmark {
    static final int DOMAINS = 1 << 20;

    private final CycleBenchmark cycles;
    private String[] ids = {};
    private int at;
    private long offset = 1;

    ManyDomainsBenchmark(CycleBenchmark cycles) {
        this.cycles = cycles;
    }

    @Setup
    public void setUp() {
        ids = IntStream.range(0, DOMAINS).mapToObj(i -> "customer-" + i).toArray(String[]::new);
        for (String id : ids) {
            cycles.cycle(id, 0);
        }
    }

    /* Visits each domain once in a round, in an order that no cache foresees. */
    @Benchmark
    public int anyDomain() {
        at = (at * 1_664_525 + 1_013_904_223 + visit(ids[at], offset)) & (DOMAINS - 1);
        if (at == 0) {
            offset++;
        }
        return at;
    }

    /* Returns zero. */
    int visit(String id, long visits) {
        return cycles.cycle(id, visits) ? 0 : 1;
    }

    /** Several look-ups run in the processor at the same time, because none needs the result of another. */
    public static class MapGets extends ManyDomainsBenchmark {
        public MapGets() {
            super(new CycleBenchmark.MapGet());
        }
    }

    /** The result of each look-up decides which one is next. */
    public static class MapGet extends ManyDomainsBenchmark {
        private final CycleBenchmark.MapGet map;

        public MapGet() {
            this(new CycleBenchmark.MapGet());
        }

        private MapGet(CycleBenchmark.MapGet map) {
            super(map);
            this.map = map;
        }

        @Override
        int visit(String id, long visits) {
            return map.find(id).zero();
        }
    }

    public static class Compute extends ManyDomainsBenchmark {
        public Compute() {
            super(new CycleBenchmark.Compute());
        }
    }

    public static class HashSets extends ManyDomainsBenchmark {
        public HashSets() {
            super(few());
        }

        private static CycleBenchmark few() {
            CycleBenchmark.HashSets cycles = new CycleBenchmark.HashSets();
            cycles.mostOffsets = 4;
            return cycles;
        }
    }

    public static class Tidegate extends ManyDomainsBenchmark {
        public Tidegate() {
            super(new CycleBenchmark.Tidegate());
        }
    }
}

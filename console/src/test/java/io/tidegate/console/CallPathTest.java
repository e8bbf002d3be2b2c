package io.tidegate.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a console with ten viewers costs the callers of the parts: nothing that another reader would not cost them. */
final class CallPathTest {
    private static final int VIEWERS = 10;
    private static final int CALLS = 50_000;

    /** What the measuring itself, and a compiler at work, may allocate: a fraction of a byte for each call. */
    private static final long SLACK_BYTES = 16_384;

    private final Registry registry = new Registry();
    private final Set<List<String>> ways = new HashSet<>();
    private final List<TestViewer> viewers = new ArrayList<>();
    private final Guard guard = guard();
    private boolean records;
    private Console console;

    private Guard guard() {
        return Guard.builder("prices")
                .breaker(CircuitBreaker.builder("prices")
                        .failsOnResult(result -> {
                            record();
                            return false;
                        })
                        .build())
                .bulkhead(AsyncBulkhead.builder(4).name("prices").build())
                .build();
    }

    @BeforeEach
    void start() {
        registry.add(guard);
        guard.parts().forEach(registry::add);
        console = Console.builder(registry).port(0).start();
    }

    @AfterEach
    void close() throws IOException {
        for (TestViewer viewer : viewers) {
            viewer.close();
        }
        console.close();
    }

    /** Opens ten viewers, and waits until each has got everything and the next frame. */
    private void look() throws IOException {
        while (viewers.size() < VIEWERS) {
            viewers.add(TestViewer.of(console));
        }
        for (TestViewer viewer : viewers) {
            viewer.next().next();
        }
    }

    /** Records each instruction at which a method calls the next one, from the call down to here. */
    private void record() {
        if (records) {
            ways.add(StackWalker.getInstance()
                    .walk(frames -> frames.takeWhile(
                                    frame -> !frame.getMethodName().equals("callAndSubmit"))
                            .map(frame ->
                                    frame.getClassName() + "." + frame.getMethodName() + ":" + frame.getByteCodeIndex())
                            .toList()));
        }
    }

    private Object work() {
        record();
        return "an answer";
    }

    private void callAndSubmit() {
        try {
            guard.call(this::work);
            guard.submit(() -> CompletableFuture.completedFuture(work()))
                    .toCompletableFuture()
                    .join();
            CompletableFuture<Object> later = new CompletableFuture<>();
            CompletableFuture<Object> answer = guard.submit(() -> later).toCompletableFuture();
            later.complete(work());
            answer.join();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Returns all paths that calls take, both timed and untimed ones. */
    private Set<List<String>> ways() {
        ways.clear();
        records = true;
        for (int i = 0; i < 3_000; i++) {
            callAndSubmit();
        }
        records = false;
        return Set.copyOf(ways);
    }

    @Test
    @DisplayName("CN-5 with ten viewers calls take the same way, to the instruction, as with any one reader")
    void call_tenViewers_takesTheSameWayAsWithAnyReader() throws IOException {
        List<Set<List<String>>> seen = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            if (i == 1) {
                registry.parts().forEach(CallPathTest::read);
            } else if (i == 2) {
                look();
            }
            seen.add(ways());
        }
        assertThat(seen.get(0)).hasSizeGreaterThanOrEqualTo(5);
        assertThat(seen.get(2)).isEqualTo(seen.get(1)).isEqualTo(seen.get(0));
    }

    private static void read(Part part) {
        part.read(new Reading() {
            @Override
            public void gauge(String measure, double value, String... tags) {}

            @Override
            public void count(String measure, long total, String... tags) {}

            @Override
            public void time(String measure, long count, long total, long p50, long p99, long max, String... tags) {}

            @Override
            public void state(String measure, String value) {}
        });
    }

    @Test
    @DisplayName("CN-5 OB-5 with ten viewers a call allocates nothing")
    void call_tenViewers_allocatesNothing() throws Throwable {
        look();
        MethodHandle allocated = allocatedBytes();
        callAlone();
        long before = (long) allocated.invokeExact();
        callAlone();
        assertThat((long) allocated.invokeExact() - before).isLessThan(SLACK_BYTES);
    }

    private void callAlone() throws Exception {
        for (int i = 0; i < CALLS; i++) {
            guard.call(() -> "an answer");
        }
    }

    /* By reflection, because the console's module does not read the JDK's module with this method. */
    private static MethodHandle allocatedBytes() throws ReflectiveOperationException {
        Class<?> type = Class.forName("com.sun.management.ThreadMXBean");
        Object bean = Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getThreadMXBean")
                .invoke(null);
        return MethodHandles.publicLookup()
                .findVirtual(type, "getCurrentThreadAllocatedBytes", MethodType.methodType(long.class))
                .bindTo(bean);
    }
}

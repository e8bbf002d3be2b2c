package io.tidegate.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionTest extends BulkheadTest {
    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    @DisplayName("AB-1 a limit below 1 is misuse")
    void of_limitBelowOne_throws(int limit) {
        assertThatThrownBy(() -> AsyncBulkhead.of(limit))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxInFlight: " + limit + " (expected: >= 1)");
        assertThatThrownBy(() -> AsyncBulkhead.builder(limit)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("AB-1 the largest limit works")
    void of_largestLimit_admits() {
        AsyncBulkhead bulkhead = bulkhead(Integer.MAX_VALUE);
        CompletableFuture<String> operation = new CompletableFuture<>();

        submit(bulkhead, operation);

        assertThat(bulkhead.inFlight()).isEqualTo(1);
        assertThat(bulkhead.available()).isEqualTo(Integer.MAX_VALUE - 1);
        operation.complete("done");
    }

    @Test
    @DisplayName("AB-1 settings are checked when they are given")
    void builder_badSetting_throws() {
        AsyncBulkhead.Builder builder = AsyncBulkhead.builder(1);

        assertThatThrownBy(() -> builder.name(" "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("name: ' ' (expected: not blank)");
        assertThatThrownBy(() -> builder.name(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.listener(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.permitLifetime(null)).isInstanceOf(NullPointerException.class);
        assertThat(builder.build().name()).isEqualTo(AsyncBulkhead.DEFAULT_NAME);
    }

    @Test
    void build_named_saysSo() {
        AsyncBulkhead bulkhead = AsyncBulkhead.builder(3).name("search").build();

        assertThat(bulkhead.name()).isEqualTo("search");
        assertThat(bulkhead.maxInFlight()).isEqualTo(3);
        assertThat(bulkhead).hasToString("AsyncBulkhead(search, 0 of 3 in flight)");
    }

    @Test
    @DisplayName("AB-2 a null operation is misuse and takes no permit")
    void submit_null_throws() {
        AsyncBulkhead bulkhead = bulkhead(1);

        assertThatThrownBy(() -> bulkhead.submit(null)).isInstanceOf(NullPointerException.class);

        assertThat(bulkhead.stats()).isEqualTo(new BulkheadStats(0, 0, 0, 0));
    }

    @Test
    @DisplayName("AB-2 a null operation is misuse even when the bulkhead is full")
    void submit_nullWhenFull_throwsAndCountsNothing() {
        AsyncBulkhead bulkhead = bulkhead(1);
        CompletableFuture<String> holder = new CompletableFuture<>();
        submit(bulkhead, holder);

        assertThatThrownBy(() -> bulkhead.submit(null)).isInstanceOf(NullPointerException.class);

        assertThat(bulkhead.stats().rejected()).isZero();
        holder.complete("done");
    }

    @Test
    @DisplayName("AB-3 each submission is decided at once: admitted up to the limit, refused above it")
    void submit_upToLimitAndBeyond_admitsThenRefuses() {
        AsyncBulkhead bulkhead = bulkhead(3);
        List<CompletableFuture<Integer>> operations = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Integer> operation = new CompletableFuture<>();
            operations.add(operation);
            assertThat(submit(bulkhead, operation)).isNotDone();
            assertThat(bulkhead.inFlight()).isEqualTo(i + 1);
        }

        assertRefused(bulkhead.submit(CompletableFuture::new));
        assertThat(bulkhead.available()).isZero();

        operations.get(1).complete(1);
        assertThat(bulkhead.available()).isEqualTo(1);
        CompletableFuture<Integer> next = new CompletableFuture<>();
        assertThat(submit(bulkhead, next)).isNotDone();
        operations.add(next);
        operations.forEach(operation -> operation.complete(0));
    }

    @Test
    @DisplayName("AB-3 a refused submission is not remembered: nothing runs when a permit frees")
    void refused_placeFrees_nothingRuns() {
        AsyncBulkhead bulkhead = bulkhead(1);
        CompletableFuture<String> holder = new CompletableFuture<>();
        AtomicInteger runs = new AtomicInteger();
        submit(bulkhead, holder);
        bulkhead.submit(() -> {
            runs.incrementAndGet();
            return new CompletableFuture<String>();
        });

        holder.complete("done");

        assertThat(runs).hasValue(0);
        assertThat(bulkhead.inFlight()).isZero();
    }

    @Test
    @DisplayName("AB-4 a refusal is an already failed stage with the exception itself, and the supplier does not run")
    void submit_full_refusesWithoutRunning() {
        AsyncBulkhead bulkhead = AsyncBulkhead.builder(1).name("search").build();
        CompletableFuture<String> holder = new CompletableFuture<>();
        submit(bulkhead, holder);
        AtomicInteger runs = new AtomicInteger();

        CompletionStage<String> refused = bulkhead.submit(() -> {
            runs.incrementAndGet();
            return CompletableFuture.completedFuture("never");
        });

        assertThat(runs).hasValue(0);
        assertThat(refused.toCompletableFuture()).isCompletedExceptionally();
        assertThat(errorOf(refused)).isInstanceOfSatisfying(BulkheadRejectedException.class, error -> {
            assertThat(error.code()).isEqualTo("AB_ERR_FULL");
            assertThat(error.bulkheadName()).isEqualTo("search");
            assertThat(error.maxInFlight()).isEqualTo(1);
            assertThat(error).hasMessage("bulkhead 'search' is full: 1 in flight");
        });
        assertThat(errorOf(refused.toCompletableFuture())).isInstanceOf(BulkheadRejectedException.class);
        holder.complete("done");
        assertThat(bulkhead.inFlight()).isZero();
    }

    @Test
    @DisplayName("AB-4 nothing done to a refused stage changes it, the next refusal, or the bulkhead")
    void refusedStage_tamperedWith_isUnchanged() {
        AsyncBulkhead bulkhead = bulkhead(1);
        CompletableFuture<String> holder = new CompletableFuture<>();
        submit(bulkhead, holder);
        CompletableFuture<String> refused =
                bulkhead.submit(CompletableFuture<String>::new).toCompletableFuture();

        assertThat(refused.cancel(true)).isFalse();
        assertThat(refused.complete("mine")).isFalse();
        assertThat(refused.completeExceptionally(new IllegalStateException())).isFalse();
        refused.completeAsync(() -> "mine", Runnable::run);
        refused.obtrudeValue("mine");
        refused.obtrudeException(new IllegalStateException());
        Throwable error = errorOf(refused);
        error.addSuppressed(new IllegalStateException());
        error.setStackTrace(new StackTraceElement[] {new StackTraceElement("a", "b", "c", 1)});

        assertThatThrownBy(() -> error.initCause(new IllegalStateException()))
                .isInstanceOf(IllegalStateException.class);
        assertThat(error.getSuppressed()).isEmpty();
        assertThat(error.getStackTrace()).isEmpty();
        assertRefused(refused);
        assertRefused(bulkhead.submit(CompletableFuture::new));
        assertThat(bulkhead.inFlight()).isEqualTo(1);
        holder.complete("done");
    }

    @Test
    @DisplayName("AB-5 a refusal has no stack trace, and every refusal of a bulkhead is the same object")
    void submit_full_refusalIsShared() {
        AsyncBulkhead bulkhead = bulkhead(1);
        CompletableFuture<String> holder = new CompletableFuture<>();
        submit(bulkhead, holder);

        CompletionStage<String> first = bulkhead.submit(CompletableFuture::new);
        CompletionStage<String> second = bulkhead.submit(CompletableFuture::new);

        assertThat(errorOf(first).getStackTrace()).isEmpty();
        assertThat(first).isSameAs(second);
        holder.complete("done");
    }

    @Test
    @DisplayName("AB-6 an admitted supplier runs once, on the submitting thread, with its permit taken")
    void submit_admitted_runsSupplierOnceHere() {
        AsyncBulkhead bulkhead = bulkhead(1);
        AtomicInteger runs = new AtomicInteger();
        AtomicReference<Thread> thread = new AtomicReference<>();
        AtomicInteger inFlightInside = new AtomicInteger();

        bulkhead.submit(() -> {
            runs.incrementAndGet();
            thread.set(Thread.currentThread());
            inFlightInside.set(bulkhead.inFlight());
            assertRefused(bulkhead.submit(CompletableFuture::new));
            return CompletableFuture.completedFuture("done");
        });

        assertThat(runs).hasValue(1);
        assertThat(thread).hasValue(Thread.currentThread());
        assertThat(inFlightInside).hasValue(1);
    }

    @Test
    @DisplayName("AB-19 the refusal can be serialised")
    void rejectedException_serialised_keepsItsFields() throws Exception {
        BulkheadRejectedException error = new BulkheadRejectedException("search", 7);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(error);
        }

        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isInstanceOfSatisfying(BulkheadRejectedException.class, copy -> {
                assertThat(copy).hasMessage(error.getMessage());
                assertThat(copy.bulkheadName()).isEqualTo("search");
                assertThat(copy.maxInFlight()).isEqualTo(7);
                assertThat(copy.code()).isEqualTo(BulkheadRejectedException.CODE);
            });
        }
    }

    @Test
    @DisplayName("AB-20 the stats add up")
    void stats_afterEachKindOfSubmission_addUp() {
        AsyncBulkhead bulkhead = bulkhead(2);
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        submit(bulkhead, first);
        submit(bulkhead, second);
        bulkhead.submit(CompletableFuture::new);
        bulkhead.submit(CompletableFuture::new);

        assertThat(bulkhead.stats()).isEqualTo(new BulkheadStats(4, 2, 2, 0));
        first.complete("done");
        assertThat(bulkhead.stats()).isEqualTo(new BulkheadStats(4, 2, 2, 1));
        second.completeExceptionally(new IllegalStateException());
        submit(bulkhead, CompletableFuture.completedFuture("done"));
        assertThat(bulkhead.stats()).isEqualTo(new BulkheadStats(5, 3, 2, 3));
    }
}

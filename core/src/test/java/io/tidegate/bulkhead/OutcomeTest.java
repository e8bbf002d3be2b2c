package io.tidegate.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class OutcomeTest extends BulkheadTest {
    private static final class OwnError extends Error {
        private static final long serialVersionUID = 1L;
    }

    static Stream<Throwable> anythingThrowable() {
        return Stream.of(
                new IllegalStateException(),
                new IOException(),
                new OwnError(),
                new StackOverflowError(),
                new OutOfMemoryError(),
                new Throwable(),
                new CompletionException(new IOException()));
    }

    @ParameterizedTest
    @MethodSource("anythingThrowable")
    @DisplayName("AB-7 whatever the supplier throws comes back in the stage, the same instance, and the permit is back")
    void submit_supplierThrows_failsWithThatInstance(Throwable thrown) {
        RecordingListener listener = new RecordingListener();
        AsyncBulkhead bulkhead = bulkhead(1, listener);

        CompletionStage<String> stage = bulkhead.submit(() -> {
            throw sneaky(thrown);
        });

        assertThat(errorOf(stage)).isSameAs(thrown);
        assertThat(errorOf(stage.toCompletableFuture())).isSameAs(thrown);
        assertThat(bulkhead.inFlight()).isZero();
        assertThat(listener.told).containsExactly("admitted", "FAILURE");
        assertThat(listener.errors).containsExactly(thrown);
    }

    @Test
    @DisplayName("AB-7 an InterruptedException that escapes from the supplier sets the interrupt flag again")
    void submit_supplierThrowsInterrupted_restoresFlag() {
        AsyncBulkhead bulkhead = bulkhead(1);
        InterruptedException thrown = new InterruptedException();

        CompletionStage<String> stage = bulkhead.submit(() -> {
            throw sneaky(thrown);
        });

        assertThat(Thread.interrupted()).isTrue();
        assertThat(errorOf(stage)).isSameAs(thrown);
    }

    @Test
    @DisplayName("AB-7 no other exception touches the interrupt flag")
    void submit_supplierThrows_leavesFlag() {
        AsyncBulkhead bulkhead = bulkhead(1);

        bulkhead.submit(() -> {
            throw new IllegalStateException();
        });

        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    @DisplayName("AB-7 AB-17 the permit is back before the listener is told that the supplier threw")
    void submit_supplierThrows_releasesBeforeTelling() {
        AtomicReference<AsyncBulkhead> bulkhead = new AtomicReference<>();
        AtomicInteger inFlight = new AtomicInteger(-1);
        bulkhead.set(bulkhead(1, new BulkheadListener() {
            @Override
            public void onReleased(TerminalKind kind, Throwable errorOrNull) {
                inFlight.set(bulkhead.get().inFlight());
            }
        }));

        bulkhead.get().submit(() -> {
            throw new IllegalStateException();
        });

        assertThat(inFlight).hasValue(0);
    }

    @Test
    @DisplayName("AB-7 AB-15 a supplier that throws a CancellationException was cancelled")
    void submit_supplierThrowsCancellation_isCancelled() {
        RecordingListener listener = new RecordingListener();
        AsyncBulkhead bulkhead = bulkhead(1, listener);

        CompletionStage<String> stage = bulkhead.submit(() -> {
            throw sneaky(new CancellationException());
        });

        assertThat(stage.toCompletableFuture().isCancelled()).isTrue();
        assertThat(listener.told).containsExactly("admitted", "CANCELLED");
    }

    @Test
    @DisplayName("AB-8 a supplier that returns null gives a stage whose NullPointerException says so")
    void submit_supplierReturnsNull_fails() {
        RecordingListener listener = new RecordingListener();
        AsyncBulkhead bulkhead = bulkhead(1, listener);

        CompletionStage<String> stage = bulkhead.submit(() -> null);

        assertThat(errorOf(stage))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("operation: supplied null (expected: a CompletionStage)");
        assertThat(listener.told).containsExactly("admitted", "FAILURE");
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-9 the returned future is one object that mirrors the operation's value")
    void operation_completes_isMirrored(PermitLifetime lifetime) {
        AsyncBulkhead bulkhead = bulkhead(1, lifetime);
        CompletableFuture<Object> operation = new CompletableFuture<>();
        Object value = new Object();

        CompletionStage<Object> stage = bulkhead.submit(() -> operation);

        assertThat(stage.toCompletableFuture()).isSameAs(stage).isNotSameAs(operation);
        operation.complete(value);
        assertThat(stage.toCompletableFuture().join()).isSameAs(value);
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-9 a null value is a value")
    void operation_completesWithNull_isMirrored(PermitLifetime lifetime) {
        AsyncBulkhead bulkhead = bulkhead(1, lifetime);
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned = submit(bulkhead, operation);

        operation.complete(null);

        assertThat(returned).isCompletedWithValue(null);
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-9 the operation's error comes back as the same instance")
    void operation_fails_isMirrored(PermitLifetime lifetime) {
        AsyncBulkhead bulkhead = bulkhead(2, lifetime);
        CompletableFuture<String> operation = new CompletableFuture<>();
        Throwable error = new IOException();
        CompletableFuture<String> returned = submit(bulkhead, operation);
        CompletableFuture<String> derived = submit(bulkhead, operation.thenApply(value -> value));

        operation.completeExceptionally(error);

        assertThat(errorOf(returned)).isSameAs(error);
        assertThat(errorOf(derived)).isInstanceOf(CompletionException.class).hasCause(error);
    }

    static Stream<Named<CompletableFuture<String>>> doneOperations() {
        return Stream.of(
                Named.of("value", CompletableFuture.completedFuture("done")),
                Named.of("error", CompletableFuture.failedFuture(new IOException())),
                Named.of("cancelled", cancelled()));
    }

    private static CompletableFuture<String> cancelled() {
        CompletableFuture<String> operation = new CompletableFuture<>();
        operation.cancel(false);
        return operation;
    }

    @ParameterizedTest
    @MethodSource("doneOperations")
    @DisplayName("AB-9 an operation that is already done comes back with its outcome, and its kind is told")
    void operation_alreadyDone_comesBack(CompletableFuture<String> operation) {
        for (PermitLifetime lifetime : PermitLifetime.values()) {
            RecordingListener listener = new RecordingListener();
            CompletableFuture<String> quiet = submit(bulkhead(1, lifetime), operation);
            CompletableFuture<String> told = submit(bulkhead(1, lifetime, listener), operation);

            assertThat(errorOf(quiet)).isSameAs(errorOf(operation));
            assertThat(errorOf(told)).isSameAs(errorOf(operation));
            assertThat(told.isCancelled()).isEqualTo(operation.isCancelled());
            assertThat(listener.told)
                    .containsExactly(
                            "admitted", TerminalKind.of(errorOf(operation)).name());
        }
    }

    @Test
    @DisplayName("AB-9 without a listener an operation that is already done comes back as it is, nested ones too")
    void operation_alreadyDone_isReturnedItself() {
        AsyncBulkhead outer = bulkhead(1);
        AsyncBulkhead inner = bulkhead(1);
        CompletableFuture<String> failed = CompletableFuture.failedFuture(new IOException());
        CompletableFuture<String> ended = submit(inner, new CompletableFuture<>());
        ended.complete("ended");
        CompletableFuture<String> holder = new CompletableFuture<>();
        submit(inner, holder);
        CompletionStage<String> refused = inner.submit(CompletableFuture::new);

        assertThat(submit(outer, failed)).isSameAs(failed);
        assertThat(submit(outer, ended)).isSameAs(ended);
        assertThat(submit(outer, refused)).isSameAs(refused);
        assertThat(submit(bulkhead(1, PermitLifetime.OPERATION), ended)).isSameAs(ended);
        holder.complete("done");
    }

    @Test
    @DisplayName("AB-9 a bulkhead inside a bulkhead hands the inner outcome through")
    void submit_nested_mirrorsInner() {
        AsyncBulkhead outer = bulkhead(2);
        AsyncBulkhead inner = bulkhead(1);
        CompletableFuture<String> operation = new CompletableFuture<>();

        CompletableFuture<String> admitted =
                outer.submit(() -> inner.submit(() -> operation)).toCompletableFuture();
        CompletableFuture<String> refused =
                outer.submit(() -> inner.submit(() -> operation)).toCompletableFuture();

        assertRefused(refused);
        assertThat(outer.inFlight()).isEqualTo(1);
        operation.complete("done");
        assertThat(admitted).isCompletedWithValue("done");
    }

    static Stream<Named<Consumer<CompletableFuture<String>>>> waysToEnd() {
        return Stream.of(
                way("cancel(true)", future -> future.cancel(true)),
                way("cancel(false)", future -> future.cancel(false)),
                way("complete", future -> future.complete("mine")),
                way("completeExceptionally", future -> future.completeExceptionally(new IOException())),
                way("completeAsync", future -> future.completeAsync(() -> "mine")),
                way("completeAsync on executor", future -> future.completeAsync(() -> "mine", Runnable::run)),
                way("completeAsync that throws", future -> future.completeAsync(OutcomeTest::fail)),
                way("orTimeout", future -> future.orTimeout(1, TimeUnit.MILLISECONDS)),
                way("completeOnTimeout", future -> future.completeOnTimeout("late", 1, TimeUnit.MILLISECONDS)),
                way("obtrudeValue", future -> future.obtrudeValue("mine")),
                way("obtrudeException", future -> future.obtrudeException(new IOException())));
    }

    private static Named<Consumer<CompletableFuture<String>>> way(
            String name, Consumer<CompletableFuture<String>> action) {
        return Named.of(name, action);
    }

    private static String fail() {
        throw new IllegalStateException("supplier failed");
    }

    @ParameterizedTest
    @MethodSource("waysToEnd")
    @DisplayName(
            "AB-10 AB-12 AB-13 AB-14 each end of the returned future frees the permit first, once, and tells its kind")
    void returnedFuture_ended_freesPermit(Consumer<CompletableFuture<String>> end) {
        RecordingListener listener = new RecordingListener();
        AsyncBulkhead bulkhead = bulkhead(1, listener);
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned = submit(bulkhead, operation);
        CompletableFuture<Integer> inFlightAtEnd = returned.handle((value, error) -> bulkhead.inFlight());

        end.accept(returned);

        assertThat(inFlightAtEnd.join()).isZero();
        assertThat(listener.told)
                .containsExactly("admitted", TerminalKind.of(errorOf(returned)).name());
        assertThat(listener.errors.stream().findFirst().orElse(null)).isSameAs(errorOf(returned));
        assertThat(operation).as("the end is not passed on").isNotDone();

        operation.complete("late");
        assertThat(bulkhead.stats().released()).isEqualTo(1);
        assertThat(listener.told).hasSize(2);
    }

    @ParameterizedTest
    @MethodSource("waysToEnd")
    @DisplayName("AB-10 AB-12 ending the returned future after the operation's end releases nothing more")
    void returnedFuture_endedAgain_releasesOnce(Consumer<CompletableFuture<String>> end) {
        AsyncBulkhead bulkhead = bulkhead(1);
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned = submit(bulkhead, operation);
        operation.complete("first");

        end.accept(returned);

        assertThat(bulkhead.stats()).isEqualTo(new BulkheadStats(1, 1, 0, 1));
    }

    @Test
    @DisplayName("AB-10 the returned future answers as any CompletableFuture does")
    void returnedFuture_ended_answersLikeAnyFuture() throws Exception {
        AsyncBulkhead bulkhead = bulkhead(8);
        CompletableFuture<String> cancelled = submit(bulkhead, new CompletableFuture<>());
        assertThat(cancelled.cancel(true)).isTrue();
        assertThat(cancelled.cancel(true)).as("already cancelled").isTrue();
        assertThat(cancelled.complete("late")).isFalse();
        assertThat(cancelled.isCancelled()).isTrue();
        assertThatThrownBy(cancelled::join).isInstanceOf(CancellationException.class);

        CompletableFuture<String> completed = submit(bulkhead, new CompletableFuture<>());
        assertThat(completed.complete("mine")).isTrue();
        assertThat(completed.completeExceptionally(new IOException())).isFalse();
        assertThat(completed.cancel(true)).isFalse();
        assertThat(completed.get()).isEqualTo("mine");

        CompletableFuture<String> timedOut = submit(bulkhead, new CompletableFuture<>());
        assertThat(timedOut.orTimeout(1, TimeUnit.MILLISECONDS)).isSameAs(timedOut);
        assertThatThrownBy(timedOut::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(TimeoutException.class);

        CompletableFuture<String> threw = submit(bulkhead, new CompletableFuture<>());
        assertThat(threw.completeAsync(OutcomeTest::fail, Runnable::run)).isSameAs(threw);
        assertThat(errorOf(threw)).isInstanceOf(CompletionException.class).hasRootCauseMessage("supplier failed");

        CompletableFuture<String> obtruded = submit(bulkhead, new CompletableFuture<>());
        obtruded.complete("first");
        obtruded.obtrudeValue("second");
        assertThat(obtruded.get()).isEqualTo("second");
    }

    @Test
    @DisplayName("AB-10 bad input to the returned future is refused and ends nothing")
    void returnedFuture_badInput_changesNothing() {
        AsyncBulkhead bulkhead = bulkhead(1);
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned = submit(bulkhead, operation);

        assertThatThrownBy(() -> returned.completeExceptionally(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> returned.obtrudeException(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> returned.completeAsync(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> returned.completeAsync(() -> "mine", null)).isInstanceOf(NullPointerException.class);

        assertThat(returned).isNotDone();
        assertThat(bulkhead.inFlight()).isEqualTo(1);
        operation.complete("done");
    }

    @Test
    @DisplayName("AB-10 completeAsync does not run its supplier once the future has ended")
    void completeAsync_alreadyEnded_doesNotRun() {
        AsyncBulkhead bulkhead = bulkhead(1);
        CompletableFuture<String> returned = submit(bulkhead, new CompletableFuture<>());
        returned.complete("mine");
        AtomicInteger runs = new AtomicInteger();

        returned.completeAsync(() -> "run " + runs.incrementAndGet(), Runnable::run);

        assertThat(runs).hasValue(0);
        assertThat(returned).isCompletedWithValue("mine");
    }

    @Test
    @DisplayName("AB-10 completeAsync does not wrap a CompletionException once more")
    void completeAsync_throwsCompletionException_isKept() {
        AsyncBulkhead bulkhead = bulkhead(1);
        CompletableFuture<String> returned = submit(bulkhead, new CompletableFuture<>());
        CompletionException thrown = new CompletionException(new IOException());

        returned.completeAsync(
                () -> {
                    throw thrown;
                },
                Runnable::run);

        assertThat(errorOf(returned)).isSameAs(thrown);
    }

    @Test
    @DisplayName("AB-10 cancelling a stage derived from the returned future frees nothing")
    void derivedStage_cancelled_keepsPermit() {
        AsyncBulkhead bulkhead = bulkhead(1);
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned = submit(bulkhead, operation);

        returned.thenApply(value -> value).cancel(true);
        returned.copy().cancel(true);
        returned.minimalCompletionStage().toCompletableFuture().cancel(true);

        assertThat(bulkhead.inFlight()).isEqualTo(1);
        operation.complete("done");
    }

    @ParameterizedTest
    @MethodSource("waysToEnd")
    @DisplayName("AB-11 with OPERATION the permit stays with the work, however the returned future ends")
    void operationLifetime_returnedEnded_keepsPermit(Consumer<CompletableFuture<String>> end) {
        RecordingListener listener = new RecordingListener();
        AsyncBulkhead bulkhead = bulkhead(1, PermitLifetime.OPERATION, listener);
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned = submit(bulkhead, operation);

        end.accept(returned);
        returned.exceptionally(error -> "ended").join();

        assertThat(bulkhead.inFlight()).isEqualTo(1);
        assertRefused(bulkhead.submit(CompletableFuture::new));
        assertThat(listener.told).containsExactly("admitted", "rejected");

        operation.complete("done");
        assertThat(bulkhead.inFlight()).isZero();
        assertThat(listener.told).containsExactly("admitted", "rejected", "SUCCESS");
    }

    @Test
    @DisplayName("AB-11 with OPERATION the kind told is that of the operation's end")
    void operationLifetime_operationFailsAfterCancel_tellsFailure() {
        RecordingListener listener = new RecordingListener();
        AsyncBulkhead bulkhead = bulkhead(1, PermitLifetime.OPERATION, listener);
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned = submit(bulkhead, operation);
        returned.cancel(true);

        operation.completeExceptionally(new IOException());

        assertThat(returned.isCancelled()).isTrue();
        assertThat(listener.told).containsExactly("admitted", "FAILURE");
    }

    static Stream<Named<Supplier<Throwable>>> cancellations() {
        return Stream.of(
                Named.of("bare", CancellationException::new),
                Named.of("in a CompletionException", () -> new CompletionException(new CancellationException())));
    }

    @ParameterizedTest
    @MethodSource("cancellations")
    @DisplayName("AB-15 a CancellationException, bare or directly wrapped, is CANCELLED")
    void kind_cancellation_isCancelled(Supplier<Throwable> cancellation) {
        RecordingListener listener = new RecordingListener();
        AsyncBulkhead bulkhead = bulkhead(1, listener);
        CompletableFuture<String> operation = new CompletableFuture<>();
        submit(bulkhead, operation);

        operation.completeExceptionally(cancellation.get());

        assertThat(listener.told).containsExactly("admitted", "CANCELLED");
    }

    @Test
    @DisplayName("AB-15 a cancellation further down, or in another exception, is FAILURE")
    void kind_cancellationDeeper_isFailure() {
        CancellationException cancellation = new CancellationException();

        assertThat(TerminalKind.of(new CompletionException(new CompletionException(cancellation))))
                .isEqualTo(TerminalKind.FAILURE);
        assertThat(TerminalKind.of(new ExecutionException(cancellation))).isEqualTo(TerminalKind.FAILURE);
        assertThat(TerminalKind.of(new CompletionException("no cause", null))).isEqualTo(TerminalKind.FAILURE);
        assertThat(TerminalKind.of(null)).isEqualTo(TerminalKind.SUCCESS);
    }
}

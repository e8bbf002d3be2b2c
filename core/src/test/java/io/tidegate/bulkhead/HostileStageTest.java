package io.tidegate.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.stage.HostileStage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * AB-16: a stage that breaks the contract of {@link CompletionStage} causes one release, and the caller still gets a
 * stage.
 */
class HostileStageTest extends BulkheadTest {
    private final RecordingListener listener = new RecordingListener();
    private final RuntimeException broken = new IllegalStateException("broken stage");

    private CompletableFuture<String> submit(PermitLifetime lifetime, HostileStage<String> behaviour) {
        return submit(bulkhead(1, lifetime, listener), HostileStage.of(behaviour));
    }

    private void assertEnded(CompletableFuture<String> returned, Throwable error) {
        assertThat(errorOf(returned)).isSameAs(error);
        assertThat(listener.told)
                .containsExactly("admitted", TerminalKind.of(error).name());
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-16 whenComplete throws before registering")
    void whenComplete_throwsBefore_fails(PermitLifetime lifetime) {
        assertEnded(
                submit(lifetime, hook -> {
                    throw broken;
                }),
                broken);
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-16 whenComplete throws an Error")
    void whenComplete_throwsError_fails(PermitLifetime lifetime) {
        Error error = new StackOverflowError();
        assertEnded(
                submit(lifetime, hook -> {
                    throw error;
                }),
                error);
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-16 whenComplete throws after registering; the late signal changes nothing")
    void whenComplete_throwsAfter_failsOnce(PermitLifetime lifetime) {
        AtomicReference<BiConsumer<? super String, ? super Throwable>> registered = new AtomicReference<>();
        CompletableFuture<String> returned = submit(lifetime, hook -> {
            registered.set(hook);
            throw broken;
        });
        assertEnded(returned, broken);

        registered.get().accept("late", null);

        assertEnded(returned, broken);
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-16 whenComplete fires and then throws: the first signal wins")
    void whenComplete_firesThenThrows_keepsFirst(PermitLifetime lifetime) {
        CompletableFuture<String> returned = submit(lifetime, hook -> {
            hook.accept("first", null);
            throw broken;
        });

        assertEnded(returned, null);
        assertThat(returned).isCompletedWithValue("first");
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-16 whenComplete fires twice: the first signal wins")
    void whenComplete_firesTwice_keepsFirst(PermitLifetime lifetime) {
        CompletableFuture<String> returned = submit(lifetime, hook -> {
            hook.accept("first", null);
            hook.accept(null, broken);
            return null;
        });

        assertEnded(returned, null);
        assertThat(returned).isCompletedWithValue("first");
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-16 an error beats a value in one signal")
    void whenComplete_valueAndError_fails(PermitLifetime lifetime) {
        assertEnded(
                submit(lifetime, hook -> {
                    hook.accept("value", broken);
                    return null;
                }),
                broken);
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-16 whenComplete returns null and there is no toCompletableFuture: not looked at")
    void whenComplete_returnsNull_isIgnored(PermitLifetime lifetime) {
        AtomicReference<BiConsumer<? super String, ? super Throwable>> registered = new AtomicReference<>();
        CompletableFuture<String> returned = submit(lifetime, hook -> {
            registered.set(hook);
            return null;
        });
        assertThat(returned).isNotDone();

        registered.get().accept("value", null);

        assertEnded(returned, null);
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-16 whenComplete smuggles out an InterruptedException: the flag is set again")
    void whenComplete_throwsInterrupted_restoresFlag(PermitLifetime lifetime) {
        InterruptedException interrupted = new InterruptedException();
        CompletionStage<String> stage = new CompletableFuture<>() {
            @Override
            public CompletableFuture<String> whenComplete(BiConsumer<? super String, ? super Throwable> hook) {
                throw sneaky(interrupted);
            }
        };

        CompletableFuture<String> returned = submit(bulkhead(1, lifetime, listener), stage);

        assertThat(Thread.interrupted()).isTrue();
        assertEnded(returned, interrupted);
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-16 a future that lies about being done is followed, not believed")
    void isDone_lies_permitIsHeld(PermitLifetime lifetime) {
        AsyncBulkhead bulkhead = bulkhead(1, lifetime);
        CompletableFuture<String> liar = new CompletableFuture<>() {
            @Override
            public boolean isDone() {
                return true;
            }
        };
        CompletableFuture<String> returned = submit(bulkhead, liar);
        assertThat(bulkhead.inFlight()).isEqualTo(1);

        liar.complete("value");

        assertThat(returned).isCompletedWithValue("value");
    }
}

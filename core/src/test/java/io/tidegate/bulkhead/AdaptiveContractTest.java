package io.tidegate.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.adaptive.AdaptiveLimit;
import io.tidegate.bulkhead.broken.BulkheadFactory;
import java.time.Duration;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every rule of the bulkhead, on adaptive bulkheads whose least limit is their greatest, so that it does not move. */
class AdaptiveContractTest {
    private static AsyncBulkhead make(
            AdaptiveLimit.Builder builder, int limit, PermitLifetime lifetime, @Nullable BulkheadListener listener) {
        builder.min(limit).initial(limit).max(limit).permitLifetime(lifetime);
        return listener == null ? builder.build() : builder.listener(listener).build();
    }

    @Nested
    @DisplayName("AL-1 Admission")
    class Admission extends AdmissionTest {
        @Override
        AsyncBulkhead make(int limit, PermitLifetime lifetime, @Nullable BulkheadListener listener) {
            return AdaptiveContractTest.make(AdaptiveLimit.gradient(), limit, lifetime, listener);
        }
    }

    @Nested
    @DisplayName("AL-1 Outcome")
    class Outcome extends OutcomeTest {
        @Override
        AsyncBulkhead make(int limit, PermitLifetime lifetime, @Nullable BulkheadListener listener) {
            return AdaptiveContractTest.make(AdaptiveLimit.aimd(), limit, lifetime, listener);
        }
    }

    @Nested
    @DisplayName("AL-1 Listener")
    class Listener extends ListenerTest {
        @Override
        AsyncBulkhead make(int limit, PermitLifetime lifetime, @Nullable BulkheadListener listener) {
            return AdaptiveContractTest.make(AdaptiveLimit.gradient(), limit, lifetime, listener);
        }
    }

    @Nested
    @DisplayName("AL-1 HostileStage")
    class HostileStages extends HostileStageTest {
        @Override
        AsyncBulkhead make(int limit, PermitLifetime lifetime, @Nullable BulkheadListener listener) {
            return AdaptiveContractTest.make(AdaptiveLimit.gradient(), limit, lifetime, listener);
        }
    }

    @Nested
    @DisplayName("AL-1 StackEnd")
    class StackEnd extends StackEndTest {
        @Override
        AsyncBulkhead make(int limit, PermitLifetime lifetime, @Nullable BulkheadListener listener) {
            return AdaptiveContractTest.make(AdaptiveLimit.gradient(), limit, lifetime, listener);
        }
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AL-1 random scripts agree with the reference of the bulkhead")
    void script_adaptive_agrees(PermitLifetime lifetime) {
        BulkheadFactory factory = (limit, listener) -> make(AdaptiveLimit.gradient(), limit, lifetime, listener);

        LongStream.range(0, 200).forEach(seed -> ModelRun.play(factory, lifetime, seed, 100));
    }

    @ParameterizedTest
    @EnumSource(BulkheadRace.class)
    @DisplayName("AL-1 the races of the bulkhead")
    void race_adaptive_isRight(BulkheadRace race) {
        BulkheadFactory factory =
                (limit, listener) -> make(AdaptiveLimit.aimd(), limit, PermitLifetime.RETURNED_STAGE, listener);

        assertThat(race.run(factory, 50_000, Duration.ofMillis(50))).isNull();
    }
}

package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.CircuitOpenException;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadRejectedException;
import io.tidegate.guard.Guard;
import io.tidegate.guard.TimeLimitExceededException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import reactor.core.publisher.Mono;

/** Guarded methods of beans, guards as beans, and the registry. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GuardedTest {
    private ConfigurableApplicationContext app;
    private Shop shop;

    @BeforeAll
    void start() {
        app = Apps.start(WebApplicationType.NONE, """
                tidegate.guards.inventory.breaker=
                tidegate.guards.inventory.bulkhead.max-in-flight=1
                tidegate.guards.stubborn.retry.max-attempts=3
                tidegate.guards.stubborn.retry.first-delay=1ms
                tidegate.guards.quick.time-limit=1ms
                tidegate.guards.bare=
                """, App.class);
        shop = app.getBean(Shop.class);
    }

    @AfterAll
    void stop() {
        app.close();
    }

    @BeforeEach
    void clear() {
        shop.calls().clear();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Shop.class, Whole.class, Enhanced.class})
    static class App {
        @Bean
        CircuitBreaker own() {
            return CircuitBreaker.of("own");
        }

        @Bean
        Guard payment(CircuitBreaker own) {
            return Guard.builder("payment").breaker(own).build();
        }

        @Bean
        @Lazy
        AsyncBulkhead later() {
            return AsyncBulkhead.builder(3).name("later").build();
        }
    }

    static class Shop {
        final List<Object> calls = new ArrayList<>();
        final Guard guard;

        Shop(@Qualifier("inventory") Guard guard) {
            this.guard = guard;
        }

        List<Object> calls() {
            return calls;
        }

        Guard guard() {
            return guard;
        }

        @Guarded("inventory")
        String value(String article) throws IOException {
            calls.add(article);
            if (article.isEmpty()) {
                throw new IOException("no article");
            }
            return "value of " + article;
        }

        @Guarded("inventory")
        void nothing() {
            calls.add("nothing");
        }

        @Guarded("inventory")
        CompletionStage<String> stage(CompletableFuture<String> end) {
            return end;
        }

        @Guarded(value = "inventory", fallback = "instead")
        CompletableFuture<String> stageWithFallback(CompletableFuture<String> end) {
            return end;
        }

        CompletableFuture<String> instead(CompletableFuture<String> end, Throwable error) {
            return CompletableFuture.completedFuture("instead of " + error.getMessage());
        }

        @Guarded(value = "inventory", fallback = "cached")
        String withFallback(int number) {
            throw new IllegalStateException("number " + number);
        }

        private String cached(int number, Throwable error) {
            return number + " cached because of " + error.getMessage();
        }

        @Guarded(value = "inventory", fallback = "plain")
        String withPlainFallback(Error error) {
            if (error != null) {
                throw error;
            }
            throw new IllegalStateException();
        }

        String plain(Error error) {
            return "plain";
        }

        @Guarded("stubborn")
        int tried() {
            calls.add("try");
            if (calls.size() < 3) {
                throw new IllegalStateException("not yet");
            }
            return calls.size();
        }

        @Guarded("quick")
        String slow() {
            try {
                new CountDownLatch(1).await();
                return "never";
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }

        @Guarded(value = "stubborn", fallback = "empty")
        Mono<String> mono(boolean fails) {
            calls.add("assembled");
            return Mono.fromSupplier(() -> {
                calls.add("subscribed");
                if (fails) {
                    throw new IllegalStateException("fails");
                }
                return "mono";
            });
        }

        Mono<String> empty(boolean fails, Throwable error) {
            return Mono.just("empty because it " + error.getMessage());
        }
    }

    @Guarded("payment")
    static class Whole implements Comparable<Whole> {
        private static Future<String> helper() {
            return CompletableFuture.completedFuture("one");
        }

        @Override
        public int compareTo(Whole other) {
            return 0;
        }

        String one() {
            return ((CompletableFuture<String>) helper()).join();
        }

        @Guarded("inventory")
        String other() {
            return "other";
        }
    }

    @Configuration // Spring extends this class by itself
    static class Enhanced {
        @Guarded("bare")
        String call() {
            return "called";
        }
    }

    @Test
    @DisplayName("SB-1 a method of a class that Spring has extended is guarded, too")
    void method_ofExtendedClass_isGuarded() {
        long before = guard("bare").stats().calls();
        assertThat(app.getBean(Enhanced.class).call()).isEqualTo("called");
        assertThat(guard("bare").stats().calls()).isEqualTo(before + 1);
    }

    @Test
    @DisplayName("SB-1 values, void and checked exceptions reach the caller as without a guard")
    void value_reachesTheCaller() throws IOException {
        long before = guard("inventory").stats().calls();
        assertThat(shop.value("tea")).isEqualTo("value of tea");
        shop.nothing();
        assertThatThrownBy(() -> shop.value(""))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("no article");
        assertThat(guard("inventory").stats().calls()).isEqualTo(before + 3);
        assertThat(guard("inventory").stats().failures()).isPositive();
        assertThat(shop.guard()).isSameAs(guard("inventory"));
    }

    @Test
    @DisplayName("SB-1 a stage holds its permit until it ends, and a refusal comes in the stage")
    void stage_holdsItsPlace() {
        CompletableFuture<String> end = new CompletableFuture<>();
        CompletionStage<String> first = shop.stage(end);
        assertThat(shop.stage(new CompletableFuture<>()).toCompletableFuture())
                .isCompletedExceptionally()
                .satisfies(refused -> assertThatThrownBy(refused::join)
                        .isInstanceOf(CompletionException.class)
                        .hasCauseInstanceOf(BulkheadRejectedException.class));
        assertThatThrownBy(() -> shop.value("tea")).isInstanceOf(BulkheadRejectedException.class);
        end.complete("end");
        assertThat(first.toCompletableFuture()).isCompletedWithValue("end");
        assertThat(shop.stage(CompletableFuture.completedFuture("next")).toCompletableFuture())
                .isCompletedWithValue("next");
    }

    @Test
    @DisplayName("SB-1 a fallback answers for failures and refusals, with or without the error, and not for an Error")
    void fallback_answers() {
        assertThat(shop.withFallback(7)).isEqualTo("7 cached because of number 7");
        assertThat(shop.withPlainFallback(null)).isEqualTo("plain");
        StackOverflowError error = new StackOverflowError();
        assertThatThrownBy(() -> shop.withPlainFallback(error)).isSameAs(error);
        assertThat(shop.stageWithFallback(CompletableFuture.failedFuture(new IOException("no luck"))))
                .isCompletedWithValue("instead of no luck");
        assertThat(shop.stageWithFallback(CompletableFuture.completedFuture("fine")))
                .isCompletedWithValue("fine");
        CompletableFuture<String> pending = shop.stageWithFallback(new CompletableFuture<>());
        assertThat(shop.withFallback(8)).startsWith("8 cached because of bulkhead");
        pending.cancel(false);
        assertThat(shop.withFallback(9)).isEqualTo("9 cached because of number 9");
    }

    @Test
    @DisplayName("SB-1 each attempt of a retry makes the call")
    void retry_makesTheCallAgain() {
        assertThat(shop.tried()).isEqualTo(3);
        assertThat(shop.calls()).hasSize(3);
    }

    @Test
    @DisplayName("SB-1 a time limit comes in an unchecked exception where the method declares none")
    void timeLimit_isUnchecked() {
        assertThatThrownBy(() -> shop.slow())
                .isExactlyInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(TimeLimitExceededException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    @DisplayName("SB-1 a Mono is a call for each subscription, retried and with its fallback")
    void mono_isGuardedWhenSubscribed() {
        Mono<String> fine = shop.mono(false);
        assertThat(shop.calls()).isEmpty();
        assertThat(fine.block()).isEqualTo("mono");
        assertThat(fine.block()).isEqualTo("mono");
        assertThat(shop.calls()).containsExactly("assembled", "subscribed", "assembled", "subscribed");
        assertThat(shop.mono(true).block()).isEqualTo("empty because it fails");
    }

    @Test
    @DisplayName("SB-1 an annotation of the class is for all its methods that have none of their own")
    void classAnnotation_isForAllMethods() {
        Whole whole = app.getBean(Whole.class);
        long payments = guard("payment").stats().calls();
        long others = guard("inventory").stats().calls();
        assertThat(whole.one()).isEqualTo("one");
        assertThat(whole.other()).isEqualTo("other");
        assertThat(guard("payment").stats().calls()).isEqualTo(payments + 1);
        assertThat(guard("inventory").stats().calls()).isEqualTo(others + 1);
        app.getBean("own", CircuitBreaker.class).forceOpen();
        assertThatThrownBy(whole::one).isInstanceOf(CircuitOpenException.class);
        app.getBean("own", CircuitBreaker.class).reset();
    }

    @Test
    @DisplayName("SB-1 guards, their parts and the user's own parts are in the registry; lazy ones when they are made")
    void registry_hasAllParts() {
        Registry registry = app.getBean(Registry.class);
        for (String guard : List.of("inventory", "stubborn", "quick", "bare", "payment")) {
            assertThat(registry.find("guard", guard)).contains(guard(guard));
        }
        assertThat(registry.find("breaker", "inventory")).isPresent();
        assertThat(registry.find("breaker", "own")).contains(app.getBean("own", CircuitBreaker.class));
        assertThat(registry.find("bulkhead", "later")).isEmpty();
        AsyncBulkhead later = app.getBean("later", AsyncBulkhead.class);
        assertThat(registry.find("bulkhead", "later")).contains(later);
    }

    private Guard guard(String name) {
        return app.getBean(name, Guard.class);
    }
}

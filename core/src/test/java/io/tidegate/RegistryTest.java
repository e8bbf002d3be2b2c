package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import io.tidegate.memory.Weight;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RegistryTest {
    private final Registry registry = new Registry();

    private static AsyncBulkhead bulkhead(String name) {
        return AsyncBulkhead.builder(3).name(name).build();
    }

    @Test
    @DisplayName("OB-2 parts are listed by kind, then name; add returns the part")
    void parts_several_areInOrder() {
        AsyncBulkhead b = registry.add(bulkhead("b"));
        AsyncBulkhead a = registry.add(bulkhead("a"));
        CircuitBreaker z = registry.add(CircuitBreaker.of("z"));
        assertThat(registry.parts()).containsExactly(z, a, b);
        assertThat(registry.find("bulkhead", "b")).containsSame(b);
        assertThat(registry.find("breaker", "b")).isEmpty();
    }

    @Test
    @DisplayName("OB-2 two parts of one kind and name are misuse, told with both; nothing changes")
    void add_sameKindAndName_isMisuse() {
        AsyncBulkhead first = registry.add(bulkhead("stock"));
        AtomicInteger changes = new AtomicInteger();
        registry.onChange(changes::incrementAndGet);
        AsyncBulkhead second = AsyncBulkhead.builder(7).name("stock").build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.add(second))
                .withMessageContaining(first.toString())
                .withMessageContaining(second.toString())
                .withMessageContaining("(expected: another name than 'stock'");
        assertThat(registry.parts()).containsExactly(first);
        assertThat(changes).hasValue(0);
    }

    @Test
    @DisplayName("OB-2 the same name under another kind is another part")
    void add_sameNameOtherKind_isAdded() {
        registry.add(bulkhead("stock"));
        registry.add(CircuitBreaker.of("stock"));
        assertThat(registry.parts()).hasSize(2);
    }

    @Test
    @DisplayName("OB-2 the very same part again changes nothing, with other tags it is misuse")
    void add_again_changesNothing() {
        AsyncBulkhead part = registry.add(bulkhead("stock"), "zone", "eu");
        registry.add(part, "zone", "eu");
        assertThat(registry.parts()).containsExactly(part);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.add(part, "zone", "us"))
                .withMessage("tags: {zone=us} (expected: {zone=eu}, with which the part was added before)");
        assertThat(registry.tags(part)).isEqualTo(Map.of("zone", "eu"));
    }

    @Test
    @DisplayName("OB-2 tags are pairs of texts that are not blank, each key once")
    void add_badTags_areMisuse() {
        AsyncBulkhead part = bulkhead("stock");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.add(part, "zone"))
                .withMessage("tags: [zone] (expected: pairs of a key and a value)");
        assertThatIllegalArgumentException().isThrownBy(() -> registry.add(part, "zone", " "));
        assertThatIllegalArgumentException().isThrownBy(() -> registry.add(part, "a", "1", "a", "2"));
        assertThatNullPointerException().isThrownBy(() -> registry.add(part, "a", null));
        assertThatNullPointerException().isThrownBy(() -> registry.add(null));
        assertThat(registry.parts()).isEmpty();
    }

    @Test
    @DisplayName("OB-2 what was removed is gone, and its name free; another part of its name is not removed")
    void remove_part_isGone() {
        AsyncBulkhead part = registry.add(bulkhead("stock"), "zone", "eu");
        assertThat(registry.remove(bulkhead("stock"))).isFalse();
        assertThat(registry.remove(part)).isTrue();
        assertThat(registry.remove(part)).isFalse();
        assertThat(registry.parts()).isEmpty();
        assertThat(registry.tags(part)).isEmpty();
        AsyncBulkhead next = registry.add(bulkhead("stock"));
        assertThat(registry.find("bulkhead", "stock")).containsSame(next);
    }

    @Test
    @DisplayName("OB-2 a part that was removed is not kept, nor one that was refused")
    void remove_part_isNotKept() {
        Heavy part = registry.add(new Heavy());
        assertThatIllegalArgumentException().isThrownBy(() -> registry.add(new Heavy()));
        assertThat(Weight.of(registry)).isBetween((long) Heavy.BYTES, 2L * Heavy.BYTES);
        registry.remove(part);
        assertThat(Weight.of(registry)).isLessThan(Heavy.BYTES);
    }

    private static final class Heavy implements Part {
        static final int BYTES = 1_000_000;

        @SuppressWarnings("unused") // but weighed
        private final byte[] weight = new byte[BYTES];

        @Override
        public String name() {
            return "heavy";
        }

        @Override
        public String kind() {
            return "rate";
        }

        @Override
        public void read(Reading to) {
            to.count("admitted", 0);
        }
    }

    @Test
    @DisplayName("OB-2 listeners hear of each change, after it; one that throws hinders nobody; one can be removed")
    void onChange_changes_areHeard() {
        List<Integer> sizes = new ArrayList<>();
        Runnable listener = () -> sizes.add(registry.parts().size());
        registry.onChange(() -> {
            throw new IllegalStateException();
        });
        registry.onChange(listener);
        AsyncBulkhead part = registry.add(bulkhead("stock"));
        registry.remove(part);
        assertThat(sizes).containsExactly(1, 0);
        assertThat(registry.removeListener(listener)).isTrue();
        registry.add(part);
        assertThat(sizes).hasSize(2);
    }

    @Test
    @DisplayName("OB-2 many threads: of those that add one name one wins, and all that is added is listed")
    void add_manyThreads_oneWins() throws InterruptedException {
        int threads = 4;
        int names = 200;
        AtomicInteger won = new AtomicInteger();
        CountDownLatch go = new CountDownLatch(1);
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                for (int n = 0; n < names; n++) {
                    try {
                        registry.add(bulkhead("b" + n));
                        won.incrementAndGet();
                    } catch (IllegalArgumentException taken) {
                        // by another thread
                    }
                    registry.parts();
                }
            });
            thread.start();
            started.add(thread);
        }
        go.countDown();
        for (Thread thread : started) {
            thread.join();
        }
        assertThat(won).hasValue(names);
        assertThat(registry.parts()).hasSize(names);
    }

    @Test
    @DisplayName("OB-1 a guard's own parts can be listed too")
    void parts_ofAGuard_canBeAdded() {
        Guard guard = registry.add(Guard.standard("inventory"));
        guard.parts().forEach(registry::add);
        assertThat(registry.parts()).extracting(Part::kind).containsExactly("breaker", "bulkhead", "guard");
        assertThat(registry.parts()).extracting(Part::name).containsOnly("inventory");
    }
}

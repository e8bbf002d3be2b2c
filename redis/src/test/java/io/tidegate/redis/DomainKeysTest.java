package io.tidegate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.SlotHash;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DomainKeysTest {
    private static final List<String> NAMES = List.of(
            "a",
            "A",
            " ",
            "a ",
            "{",
            "}",
            "{}",
            "}{",
            "{a}",
            "a}b",
            "a}:state",
            "%",
            "%0020",
            "!",
            "!20",
            "~",
            "~00007E",
            "a/1",
            "\u00fc",
            "?",
            "\uffff",
            "\ud83d\ude00",
            "\ud800",
            "\udc00");

    private final DomainKeys keys = new DomainKeys("p", "orders");

    /** Returns the key of this part of the domain. */
    static String keyOf(String prefix, String domainId, String part) {
        return new DomainKeys(prefix, "orders")
                .of(domainId).stream()
                        .filter(key -> key.endsWith(":" + part))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    @DisplayName("WL-11 the keys of a domain are in one slot, whatever its name, and no two domains share one")
    void of_anyName_oneSlotAndNoneShared() {
        Set<String> seen = new HashSet<>();
        for (String name : NAMES) {
            List<String> some = keys.of(name);
            assertThat(some.stream().mapToInt(SlotHash::getSlot).distinct())
                    .as(name)
                    .hasSize(1);
            List<String> own = some.subList(1, some.size());
            assertThat(seen).doesNotContainAnyElementsOf(own);
            seen.addAll(own);
            assertThat(keys.indexes()).contains(some.get(0));
        }
        assertThat(keys.indexes()).hasSize(DomainKeys.SHARDS);
        seen.addAll(keys.indexes());
        assertThat(seen).hasSize(4 * NAMES.size() + DomainKeys.SHARDS).allMatch(key -> key.matches("[!-~]+"));
    }

    @Test
    @DisplayName("WL-27 leases of two names share no key, whatever the names; all keys of a shard are in its slot")
    void of_twoNames_shareNothing() {
        Set<String> seen = new HashSet<>();
        for (String name : NAMES) {
            DomainKeys named = new DomainKeys("p", name);
            Set<String> own = new HashSet<>(named.indexes());
            assertThat(own.stream().map(SlotHash::getSlot).distinct().count()).isGreaterThan(DomainKeys.SHARDS / 2);
            for (String domain : NAMES) {
                own.addAll(named.of(domain));
                assertThat(named.of(domain).stream().map(SlotHash::getSlot).distinct())
                        .hasSize(1);
            }
            assertThat(seen).doesNotContainAnyElementsOf(own);
            seen.addAll(own);
        }
    }

    @Test
    @DisplayName("WL-30 names are written in a way that sorts as their bytes do, and can be read again")
    void sortable_anyNames_keepsTheOrder() {
        for (String name : NAMES) {
            assertThat(DomainKeys.fromSortable(DomainKeys.sortable(name))).isEqualTo(name);
            for (String other : NAMES) {
                assertThat(Integer.signum(DomainKeys.sortable(name).compareTo(DomainKeys.sortable(other))))
                        .as("%s %s", name, other)
                        .isEqualTo(Integer.signum(Arrays.compare(
                                name.codePoints().toArray(), other.codePoints().toArray())));
            }
        }
    }

    @Test
    void of_plainName_isReadable() {
        assertThat(keys.of("customer:17"))
                .containsExactly(
                        "p:{orders/16}:look_at",
                        "p:{orders/16}:customer:17:state",
                        "p:{orders/16}:customer:17:backlog",
                        "p:{orders/16}:customer:17:failed",
                        "p:{orders/16}:customer:17:done");
    }

    @Test
    @DisplayName("WL-9 places have one length and the order of their offsets, at both ends too")
    void place_ofOffsets_keepsTheirOrder() {
        long[] offsets = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -10, -9, -1, 0, 1, 9, 10, 99, 1L << 53, Long.MAX_VALUE};
        List<String> places =
                Arrays.stream(offsets).mapToObj(SortableOffset::of).toList();
        assertThat(places).isSorted().doesNotHaveDuplicates().allMatch(place -> place.length() == 20);
        assertThat(places.stream().mapToLong(SortableOffset::toOffset).toArray())
                .isEqualTo(offsets);
    }
}

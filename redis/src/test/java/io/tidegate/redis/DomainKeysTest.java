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
            "\u00fc",
            "?",
            "\ud800",
            "\udc00");

    private final DomainKeys keys = new DomainKeys("p");

    /** The key of this part. */
    static String keyOf(String prefix, String domainId, String part) {
        return new DomainKeys(prefix)
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
            assertThat(seen).doesNotContainAnyElementsOf(some);
            seen.addAll(some);
        }
        assertThat(seen).hasSize(5 * NAMES.size()).allMatch(key -> key.matches("[!-~]+"));
    }

    @Test
    void of_plainName_isReadable() {
        assertThat(keys.of("customer:17"))
                .containsExactly(
                        "p:{customer:17}:state",
                        "p:{customer:17}:backlog",
                        "p:{customer:17}:queued",
                        "p:{customer:17}:failed",
                        "p:{customer:17}:done");
    }

    @Test
    @DisplayName("WL-9 places have one length and the order of their offsets, at both ends too")
    void place_ofOffsets_keepsTheirOrder() {
        long[] offsets = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -10, -9, -1, 0, 1, 9, 10, 99, 1L << 53, Long.MAX_VALUE};
        List<String> places = Arrays.stream(offsets).mapToObj(Place::of).toList();
        assertThat(places).isSorted().doesNotHaveDuplicates().allMatch(place -> place.length() == 20);
        assertThat(places.stream().mapToLong(Place::toOffset).toArray()).isEqualTo(offsets);
    }
}

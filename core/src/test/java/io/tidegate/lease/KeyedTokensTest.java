package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyedTokensTest {
    private static final long KEY_0 = 0x0706050403020100L;
    private static final long KEY_1 = 0x0f0e0d0c0b0a0908L;

    private final KeyedTokens tokens = new KeyedTokens(KEY_0, KEY_1);

    @Test
    @DisplayName("WL-8 the hash is SipHash-2-4, as OpenSSL computes it of the same 16 bytes")
    void next_knownKey_isWhatOthersCompute() {
        assertThat(hashOf(tokens.next(0x0706050403020100L, 0x0f0e0d0c0b0a0908L)))
                .isEqualTo("3f2acc7f57c29bdb");
        assertThat(hashOf(tokens.next(1, 1))).isEqualTo("16b878c650cab9c9");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 9, 10, 99, 100, 1_000_000_007, Long.MAX_VALUE})
    @DisplayName("WL-8 a token is its fence and 64 bits, in characters that need no quoting anywhere")
    void next_anyFence_containsIt(long fence) {
        assertThat(tokens.next(1, fence)).matches(fence + "\\.[0-9a-f]{16}");
    }

    @Test
    @DisplayName("WL-8 no two domains, fences or stores have a token in common")
    void next_different_differs() {
        Set<String> seen = new HashSet<>();
        for (KeyedTokens store : new KeyedTokens[] {tokens, KeyedTokens.withRandomKey(), KeyedTokens.withRandomKey()}) {
            for (long domain = 1; domain <= 100; domain++) {
                for (long fence = 1; fence <= 100; fence++) {
                    seen.add(hashOf(store.next(domain, fence)));
                }
            }
        }
        assertThat(seen).hasSize(3 * 100 * 100);
    }

    private static String hashOf(String token) {
        return token.substring(token.indexOf('.') + 1);
    }

    @Test
    @DisplayName("WL-8 both words of the key and every bit of the hash count")
    void next_otherKey_isAnotherHash() {
        assertThat(new KeyedTokens(KEY_0 ^ 1, KEY_1).next(1, 1)).isNotEqualTo(tokens.next(1, 1));
        assertThat(new KeyedTokens(KEY_0, KEY_1 ^ 1).next(1, 1)).isNotEqualTo(tokens.next(1, 1));
        for (int digit = 0; digit < 16; digit++) {
            Set<Character> values = new HashSet<>();
            for (long fence = 1; fence <= 2_000; fence++) {
                values.add(hashOf(tokens.next(1, fence)).charAt(digit));
            }
            assertThat(values).hasSize(16);
        }
    }
}

package io.tidegate.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RuleNamesTest {
    @Test
    void in_rulesAndInvariants_foundOnceInOrder() {
        assertThat(RuleNames.in("INV-RB-SAFE-DRAIN RB-14, RB-15: as AB-10 … AB-14 say, RB-14 too"))
                .containsExactly("INV-RB-SAFE-DRAIN", "RB-14", "RB-15", "AB-10", "AB-14");
    }

    @Test
    void in_whatOnlyLooksAlike_notFound() {
        assertThat(RuleNames.in("UTF-8 SHA-256 RB_AT_CAPACITY xAB-1 AB-1x INV-RB AB-x ab-1 X-AB-1"))
                .isEmpty();
    }

    @Test
    void family_ruleOrInvariant_itsTwoLetters() {
        assertThat(RuleNames.family("GX-7")).isEqualTo("GX");
        assertThat(RuleNames.family("INV-RB-CAPPED")).isEqualTo("RB");
    }
}

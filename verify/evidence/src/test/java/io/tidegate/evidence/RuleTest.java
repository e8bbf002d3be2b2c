package io.tidegate.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuleTest {
    @TempDir
    Path folder;

    private List<Rule> read(String page) throws IOException {
        return Rule.read(Files.writeString(folder.resolve("page.md"), page));
    }

    @Test
    void read_page_rulesWithAllOfTheirLines() throws IOException {
        assertThat(read("""
                # Rules

                Some **XX-9** words.

                - **XX-1** It is
                  what it is.
                - no rule
                  at all
                - **INV-XX-GOOD** It is good.

                  Not of the rule.
                """))
                .containsExactly(new Rule("XX-1", "It is what it is."), new Rule("INV-XX-GOOD", "It is good."));
    }

    @Test
    void read_noRules_refused() {
        assertThatThrownBy(() -> read("# Rules\n")).hasMessageEndingWith("page.md has no rules");
    }

    @Test
    void read_twoOfOneName_refused() {
        assertThatThrownBy(() -> read("- **XX-1** a\n- **XX-1** b\n")).hasMessageEndingWith("has two rules XX-1");
    }

    @Test
    void read_nameThatNoTestCanHave_refused() {
        assertThatThrownBy(() -> read("- **XX1** a\n")).hasMessageEndingWith("XX1 is no name of a rule");
    }
}

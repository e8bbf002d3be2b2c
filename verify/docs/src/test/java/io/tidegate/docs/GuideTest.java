package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks the pages of the guide, which a person reads from beginning to end. Facts to look up belong in the reference.
 */
class GuideTest {
    private static final String GUIDE = "docs/guide/";
    private static final int MOST_WORDS = 2_000;

    /** This page is about a program, not about a part. */
    private static final String LAB = GUIDE + "lab.md";

    static Stream<Page> pages() throws IOException {
        return Page.all().stream().filter(page -> page.name().startsWith(GUIDE));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void page_isShort(Page page) {
        assertThat(page.words()).as("words of " + page).isLessThanOrEqualTo(MOST_WORDS);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void page_hasPicture(Page page) {
        assertThat(page.pictures()).as("pictures of " + page).isPositive();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void page_hasItsSectionsInOrder(Page page) {
        List<String> sections =
                page.name().equals(LAB) ? List.of("use") : List.of("use", "outcomes", "settings", "anti-patterns");

        assertThat(page.sections()).as("sections of " + page).containsSubsequence(sections);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void page_leadsToAnExample(Page page) {
        assertThat(page.text()).as(page + " leads to an example").contains("(../../examples/");
    }
}

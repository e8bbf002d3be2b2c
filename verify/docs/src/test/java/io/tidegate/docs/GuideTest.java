package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages of the guide, which a person reads to the end. What is looked up goes to the reference. */
class GuideTest {
    private static final String GUIDE = "docs/guide/";
    private static final int MOST_WORDS = 2_000;

    /** Pages that are still to be shortened and drawn. */
    private static final Set<String> NOT_YET_DONE = Set.of(GUIDE + "console.md", GUIDE + "lab.md");

    static Stream<Page> pages() throws IOException {
        return Page.all().stream()
                .filter(page -> page.name().startsWith(GUIDE))
                .filter(page -> !NOT_YET_DONE.contains(page.name()));
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
}

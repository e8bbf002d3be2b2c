package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages of the guide, which a person reads to the end. What is looked up goes to the reference. */
class GuideTest {
    private static final String GUIDE = "docs/guide/";
    private static final int MOST_WORDS = 2_000;

    /** The beginnings of the names of pages that are still to be shortened and drawn. */
    private static final List<String> NOT_YET_DONE =
            List.of("work-lease", "spring-boot", "observe", "metrics", "console", "lab");

    static Stream<Page> pages() throws IOException {
        return Page.all().stream()
                .filter(page -> page.name().startsWith(GUIDE))
                .filter(page ->
                        NOT_YET_DONE.stream().noneMatch(name -> page.name().startsWith(GUIDE + name)));
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

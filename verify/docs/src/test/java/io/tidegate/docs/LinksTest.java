package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the links of the documents to files and headings of this repository. */
class LinksTest {
    static Stream<Page> pages() throws IOException {
        return Page.all().stream();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void links_leadSomewhere(Page page) {
        assertThat(page.brokenLinks()).isEmpty();
    }
}

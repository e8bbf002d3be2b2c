package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the documents' quotes with the examples. */
class QuotesTest {
    static Stream<Page> pages() throws IOException {
        return Page.all().stream();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void quotes_areInTheirFiles(Page page) {
        assertThat(page.wrongQuotes()).isEmpty();
    }
}

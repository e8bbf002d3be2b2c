package io.tidegate.docs;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class GoodputTest {
    @Test
    void picture_isDrawnFromTheLabsOutput() throws IOException {
        GeneratedText.file(
                "docs/pictures/goodput.svg", GoodputPicture.of(GeneratedText.read("docs/pictures/goodput-lab.txt")));
    }
}

package io.tidegate.docs;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class GoodputTest {
    @Test
    void picture_isDrawnFromWhatTheLabTold() throws IOException {
        Written.file("docs/pictures/goodput.svg", Goodput.of(Written.read("docs/pictures/goodput-lab.txt")));
    }
}

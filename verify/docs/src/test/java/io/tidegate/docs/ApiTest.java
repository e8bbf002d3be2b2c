package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleReference;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Compares the public names with the recorded ones, so that a change is made on purpose and seen in a review. */
class ApiTest {
    @Test
    void api_isThatOfTheBaseline() throws IOException {
        Map<String, ModuleReference> modules = Api.modules();
        assertThat(modules).containsKey("io.tidegate.core").containsKey("io.tidegate.groups");
        for (Map.Entry<String, ModuleReference> module : modules.entrySet()) {
            GeneratedText.file("docs/api/" + module.getKey() + ".txt", Api.of(module.getValue()));
        }
    }
}

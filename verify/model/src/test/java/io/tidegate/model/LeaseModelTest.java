package io.tidegate.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import edu.mit.csail.sdg.ast.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class LeaseModelTest {
    private static final Path STORIES = Path.of("target", "stories");

    private static final Model MODEL = Model.of(System.getProperty("model.commands", "small.als"));

    @TestFactory
    Stream<DynamicTest> command_asExpected() {
        return MODEL.commands().stream()
                .map(command -> dynamicTest(
                        MODEL.title(command) + " (" + command.label + ")", () -> assertAsExpected(command)));
    }

    private void assertAsExpected(Command command) throws IOException {
        Optional<Story> story = MODEL.find(command);
        String report = String.join(
                System.lineSeparator(),
                MODEL.title(command),
                "Looked at: " + Model.scope(command),
                story.map(Story::toString).orElse("Nothing found"));
        Files.createDirectories(STORIES);
        Files.writeString(STORIES.resolve(command.label + ".txt"), report + System.lineSeparator());
        assertThat(story.isPresent()).as("%s", report).isEqualTo(command.expects == 1);
    }

    @Test
    void story_overwrite_toldInOrder() {
        Model small = Model.of("small.als");
        Command overwrite = small.commands().stream()
                .filter(command -> command.label.equals("fenceKept_write"))
                .findAny()
                .orElseThrow();
        assertThat(small.find(overwrite).orElseThrow().toString())
                .containsSubsequence("acquires", "expires", "takes over", "writes", "writes");
    }
}

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class LeaseModelTest {
    private static final Path STORIES = Path.of("target", "stories");

    @TestFactory
    Stream<DynamicTest> command_asExpected() {
        return commandsOf(Model.of(System.getProperty("model.commands", "small.als")));
    }

    @TestFactory
    @Tag("broken")
    Stream<DynamicTest> command_ofChangedStore_asExpected() {
        return commandsOf(Model.of("changed.als"));
    }

    private static Stream<DynamicTest> commandsOf(Model model) {
        return model.commands().stream()
                .map(command -> dynamicTest(
                        model.title(command) + " (" + command.label + ")", () -> assertAsExpected(model, command)));
    }

    private static void assertAsExpected(Model model, Command command) throws IOException {
        Optional<Story> story = model.find(command);
        String report = String.join(
                System.lineSeparator(),
                model.title(command),
                "Looked at: " + Model.scope(command),
                story.map(Story::toString).orElse("Nothing found"));
        Files.createDirectories(STORIES);
        Files.writeString(STORIES.resolve(command.label + ".txt"), report + System.lineSeparator());
        assertThat(story.isPresent()).as("%s", report).isEqualTo(command.expects == 1);
    }

    @Test
    void story_overwrite_reportedInOrder() {
        Model changed = Model.of("changed.als");
        Command overwrite = changed.commands().stream()
                .filter(command -> command.label.equals("fenceKept_write"))
                .findAny()
                .orElseThrow();
        assertThat(changed.find(overwrite).orElseThrow().toString())
                .containsSubsequence("acquires", "expires", "takes over", "writes", "writes");
    }
}

package io.tidegate.model;

import edu.mit.csail.sdg.alloy4.A4Reporter;
import edu.mit.csail.sdg.ast.Command;
import edu.mit.csail.sdg.parser.CompModule;
import edu.mit.csail.sdg.parser.CompUtil;
import edu.mit.csail.sdg.translator.A4Options;
import edu.mit.csail.sdg.translator.TranslateAlloyToKodkod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import kodkod.engine.satlab.SATFactory;

/** A file of commands, and the model that they check. */
final class Model {
    private final Path file;
    private final CompModule module;

    private Model(Path file) {
        this.file = file;
        this.module = CompUtil.parseEverything_fromFile(A4Reporter.NOP, null, file.toString());
    }

    /** Reads the file of this name beside this class. */
    static Model of(String name) {
        try {
            return new Model(Path.of(
                    Objects.requireNonNull(Model.class.getResource(name), name).toURI()));
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(name, e);
        }
    }

    List<Command> commands() {
        return module.getAllCommands();
    }

    /** Returns the comment on the line above the command. */
    String title(Command command) {
        try {
            String above = Files.readAllLines(file).get(command.pos.y - 2);
            if (!above.startsWith("-- ")) {
                throw new IllegalArgumentException(command.label + " has no title above it");
            }
            return above.substring("-- ".length());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the scope of a command. */
    static String scope(Command command) {
        return "at most " + command.overall + " of each, but " + command.scope + ", and " + command.maxprefix
                + " steps";
    }

    /** Finds the shortest counterexample to a check, or the shortest example for a run, within the command's scope. */
    Optional<Story> find(Command command) {
        A4Options options = new A4Options();
        // This solver is written in Java, so it runs the same everywhere.
        options.solver = SATFactory.DEFAULT;
        var found =
                TranslateAlloyToKodkod.execute_command(A4Reporter.NOP, module.getAllReachableSigs(), command, options);
        return found.satisfiable() ? Optional.of(new Story(module, found)) : Optional.empty();
    }
}

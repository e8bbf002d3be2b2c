package io.tidegate.lab.print;

import java.io.PrintStream;
import java.util.function.Consumer;

/**
 * The output of a scene.
 *
 * @param out what it prints on
 * @param terminal whether a line there can be overwritten
 * @param tables gets each table, too, for callers that want its figures
 */
public record Screen(PrintStream out, boolean terminal, Consumer<Table> tables) {
    /** Makes a screen whose tables are only printed. */
    public Screen(PrintStream out, boolean terminal) {
        this(out, terminal, table -> {});
    }

    /** Prints a table. */
    public void show(Table table) {
        out.println(table.render());
        tables.accept(table);
    }
}

package io.tidegate.lab.print;

import java.io.PrintStream;
import java.util.function.Consumer;

/**
 * Where a scene is seen.
 *
 * @param out what it prints on
 * @param terminal whether a line there can be written over
 * @param tables is given each table, too, for those who want its figures
 */
public record Screen(PrintStream out, boolean terminal, Consumer<Table> tables) {
    /** One whose tables are only printed. */
    public Screen(PrintStream out, boolean terminal) {
        this(out, terminal, table -> {});
    }

    /** Prints a table. */
    public void show(Table table) {
        out.println(table.render());
        tables.accept(table);
    }
}

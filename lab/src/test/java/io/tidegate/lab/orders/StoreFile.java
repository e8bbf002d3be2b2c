package io.tidegate.lab.orders;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/** The file of the store {@code file:orders}. */
public final class StoreFile {
    private StoreFile() {}

    /** Checks that the tables exist and are empty, and that there is no other file. */
    public static void assertNothingIsLeft(Path folder, String user, String password) throws IOException, SQLException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(folder.resolve("orders.mv.db"));
        }
        try (Connection left = DriverManager.getConnection("jdbc:h2:" + folder.resolve("orders"), user, password);
                Statement statement = left.createStatement()) {
            for (String table : List.of("domain", "backlog", "failed", "processed")) {
                try (ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM tidegate_" + table)) {
                    rows.next();
                    assertThat(rows.getInt(1)).as(table).isZero();
                }
            }
        }
    }
}

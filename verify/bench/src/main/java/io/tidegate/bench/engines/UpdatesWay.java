package io.tidegate.bench.engines;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.function.IntSupplier;
import javax.sql.DataSource;

/** The floor of a database: one or two updates of a row, each committed separately. */
final class UpdatesWay implements Way {
    private final DataSource pool;
    private final int updates;

    UpdatesWay(DataSource pool, int updates) {
        this.pool = pool;
        this.updates = updates;
    }

    @Override
    public String label() {
        return updates == 1 ? "an update of a row" : "two updates of a row";
    }

    @Override
    public boolean fits(int domains) {
        return true;
    }

    @Override
    public Running start(Load load) {
        return Workers.start(load, worker -> {
            IntSupplier domains = load.domainsOf(worker);
            return () -> {
                int domain = domains.getAsInt();
                for (int i = 0; i < updates; i++) {
                    update(domain);
                }
                return 1;
            };
        });
    }

    private void update(int domain) throws SQLException {
        try (Connection connection = pool.getConnection();
                PreparedStatement update =
                        connection.prepareStatement("update floor_row set updates = updates + 1 where id = ?")) {
            update.setInt(1, domain);
            update.executeUpdate();
        }
    }
}

package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.jdbc.JdbcLeaseException.Reason;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Errors that no test can make a server report at will. */
class ReasonTest {
    @Test
    @DisplayName("WL-26 MariaDB has no number for a fence, as while it starts: busy, and so asked again")
    void of_noNumber_busy() {
        SQLException cause = new SQLException("Failed to read auto-increment value from storage engine", "HY000", 1467);
        assertThat(JdbcLeaseException.of(cause).reason()).isEqualTo(Reason.BUSY);
    }
}

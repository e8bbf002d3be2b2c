package io.tidegate.lab.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreTest {
    private static final Path FROM = Path.of("/somewhere");

    @Test
    void parse_memory_isOfOneProcess() {
        assertThat(Store.parse("memory", FROM).isMemory()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:orders", "orders.mv.db", "file:orders.mv.db", "/somewhere/orders.mv.db"})
    void parse_file_isADatabaseThatProcessesShare(String text) {
        assertThat(Store.parse(text, FROM))
                .isEqualTo(new Store(
                        Store.Kind.DATABASE, "jdbc:h2:file:/somewhere/orders;AUTO_SERVER=TRUE;WRITE_DELAY=0"));
    }

    @Test
    void parse_serverAddress_staysAsItIs() {
        assertThat(Store.parse("jdbc:postgresql://db/lab", FROM))
                .isEqualTo(new Store(Store.Kind.DATABASE, "jdbc:postgresql://db/lab"));
        assertThat(Store.parse("redis://cache:6379", FROM))
                .isEqualTo(new Store(Store.Kind.REDIS, "redis://cache:6379"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "orders", "file:", "http://db", "jdbc:oracle:thin:db"})
    void parse_anythingElse_saysWhatIsExpected(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Store.parse(text, FROM))
                .withMessage("--store: " + text + " (expected: memory, file:PATH or PATH.mv.db (H2),"
                        + " jdbc:postgresql://HOST/DATABASE, redis://HOST)");
    }
}

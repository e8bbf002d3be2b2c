package io.tidegate.lab.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreTest {
    private static final Path FROM = Path.of("/somewhere");

    @Test
    void parse_memory_isOfOneProcess() {
        assertThat(Store.parse("memory", FROM, Map.of()).isMemory()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"file:orders", "orders.mv.db", "file:orders.mv.db", "/somewhere/orders.mv.db"})
    void parse_file_isADatabaseThatProcessesShare(String text) {
        assertThat(Store.parse(text, FROM, Map.of()))
                .isEqualTo(new Store(
                        Store.Kind.DATABASE,
                        "jdbc:h2:file:/somewhere/orders;AUTO_SERVER=TRUE;WRITE_DELAY=0;TRACE_LEVEL_FILE=0",
                        Login.NOBODY));
    }

    @Test
    void parse_serverAddress_staysAsItIs() {
        assertThat(Store.parse("jdbc:postgresql://db/lab", FROM, Map.of()))
                .isEqualTo(new Store(Store.Kind.DATABASE, "jdbc:postgresql://db/lab", Login.NOBODY));
        assertThat(Store.parse("redis://cache:6379", FROM, Map.of()))
                .isEqualTo(new Store(Store.Kind.REDIS, "redis://cache:6379", Login.NOBODY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "orders", "file:", "http://db", "jdbc:oracle:thin:db"})
    void parse_anythingElse_saysWhatIsExpected(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Store.parse(text, FROM, Map.of()))
                .withMessage("--store: " + text + " (expected: memory, file:PATH or PATH.mv.db (H2),"
                        + " jdbc:postgresql://HOST/DATABASE, redis://HOST)");
    }

    @Test
    void parse_environmentWithALogin_isHeldBackFromWhatIsPrinted() {
        Map<String, String> environment = Map.of("TIDEGATE_USER", "shop", "TIDEGATE_PASSWORD", "geheim");

        Store store = Store.parse("redis://cache", FROM, environment);

        assertThat(store.login()).isEqualTo(new Login("shop", "geheim"));
        assertThat(store.toString()).contains("shop").doesNotContain("geheim");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://:geheim@cache",
                "redis://geheim@cache",
                "redis://shop:geheim@cache:6379/1",
                "redis://geheim%40cache",
                "rediss://:x/geheim@cache",
                "jdbc:postgresql://db/lab?password=geheim",
                "jdbc:postgresql://db/lab?user=shop&PassWord=geheim",
                "jdbc:postgresql://shop:geheim@db/lab",
                "jdbc:h2:./orders;USER=shop;PASSWORD=geheim",
                "file:orders;password=geheim"
            })
    void parse_password_isRefusedAndNotRepeated(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Store.parse(text, FROM, Map.of()))
                .withMessage("--store: has a password, which others on this machine can see (expected: none; set"
                        + " TIDEGATE_USER and TIDEGATE_PASSWORD)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:postgresql://db/lab?user=me@here", "jdbc:h2:/home/me@here/orders", "file:me@here"})
    void parse_noPassword_isTaken(String text) {
        assertThat(Store.parse(text, FROM, Map.of()).isMemory()).isFalse();
    }
}

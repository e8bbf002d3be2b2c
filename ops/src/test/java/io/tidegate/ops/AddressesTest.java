package io.tidegate.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said about an address before anything is asked at it. */
class AddressesTest {
    private final Addresses addresses = new Addresses(Map.of(), "/nowhere", user -> Optional.empty());

    private Throwable open(String... options) {
        List<String> line = new ArrayList<>(List.of("list", "--name=orders"));
        line.addAll(List.of(options));
        return catchThrowable(() -> addresses.open(Options.parse(line)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Redis: whatever is before the @ is a password, or has one
                "redis://:geheim@host",
                "redis://user:geheim@host:1",
                "redis://geheim@host",
                "rediss://geheim@host:6380/1",
                "redis://geheim%40host",
                "redis://:ge%2Fheim@host",
                "redis://:x/geheim@host:1",
                "redis://:x?geheim@host",
                "redis://:x#geheim@host",
                "redis://:x[geheim@host",
                "redis://a@b:geheim@host",
                "REDIS://geheim@host",
                "redis+tls://geheim@host",
                // PostgreSQL
                "jdbc:postgresql://host/db?password=geheim",
                "jdbc:postgresql://host/db?user=a&password=geheim",
                "jdbc:postgresql://host/db?user=a&PassWord=geheim",
                "jdbc:postgresql://host/db?pass%77ord=geheim",
                "jdbc:postgresql://host/db?password%3Dgeheim",
                "jdbc:postgresql://host/db?PGPASSWORD=geheim",
                "jdbc:postgresql://host/db?sslpassword=geheim",
                "jdbc:postgresql:db?password=geheim",
                "jdbc:postgresql://user:geheim@host/db",
                "jdbc:postgresql://user:geheim@host:5432,other/db?ssl=true",
                "jdbc:postgresql://geheim@host/db",
                "jdbc:postgresql://user:ge=heim=@host/db",
                "jdbc:postgresql://user:x/geheim@host/db",
                "jdbc:postgresql://user:x?geheim@host/db",
                "jdbc:postgresql://user:geheim%40host/db",
                "postgresql://user:geheim@host/db",
                // MariaDB, whose options have any case
                "jdbc:mariadb://host/db?user=a&PASSWORD=geheim",
                "jdbc:mariadb://host/db?pwd=geheim",
                "jdbc:mariadb://host/db?keyStorePassword=geheim",
                "jdbc:mariadb://address=(host=h)(port=1)/db?password=geheim",
                "jdbc:mariadb://user:geheim@host/db",
                // H2
                "jdbc:h2:/tmp/db;PASSWORD=geheim",
                "jdbc:h2:/tmp/db;user=sa;password=geheim",
                "jdbc:h2:/tmp/db;PassWord=geheim",
                "jdbc:h2:/tmp/db;PASS\\WORD=geheim",
                "jdbc:h2:/tmp/db;PASSWORD =geheim",
                "jdbc:h2:/tmp/db;INIT=CREATE USER a PASSWORD 'geheim'",
                "JDBC:H2:/tmp/db;PASSWORD=geheim"
            })
    @DisplayName("a password in the address is refused, with what to do instead, and not repeated")
    void open_passwordInAddress_isMisuse(String address) {
        assertThat(open("--store", address))
                .isInstanceOf(Misuse.class)
                .hasMessageContaining("has a password")
                .hasMessageContaining("TIDEGATE_PASSWORD")
                .hasMessageNotContaining("geheim");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://127.0.0.1:1/2?timeout=1s",
                "jdbc:postgresql://127.0.0.1:1/db?user=a@b",
                "jdbc:postgresql://127.0.0.1:1/db?user=a%40b&connectTimeout=1",
                "jdbc:postgresql://127.0.0.1:1/a@b",
                "jdbc:postgresql://[::1]:1/a@b",
                "jdbc:mariadb://127.0.0.1:1/db?disconnectOnExpiredPasswords=false",
                "jdbc:mariadb://address=(host=127.0.0.1)(port=1)/db",
                "jdbc:h2:/home/a@b/shop",
                "jdbc:h2:file:///home/a@b/shop",
                "jdbc:h2:./100%/shop;AUTO_SERVER=TRUE"
            })
    @DisplayName("an address without a password is asked at, though it looks a bit like one with it")
    void open_noPasswordInAddress_isAskedAt(String address) {
        assertThat(open("--store", address)).isInstanceOf(NotReached.class);
    }
}

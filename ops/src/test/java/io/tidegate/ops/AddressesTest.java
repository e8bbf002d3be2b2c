package io.tidegate.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages about an address, and about the rest of the command line, before any connection is made. */
class AddressesTest {
    /* Addresses where no server listens. */
    private static final String[] NOT_THERE = {
        "redis://127.0.0.1:1", "jdbc:postgresql://127.0.0.1:1/shop", "jdbc:mariadb://127.0.0.1:1/shop", "jdbc:h2:./shop"
    };

    private final List<String> asked = new ArrayList<>();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private final Addresses addresses = new Addresses(Map.of(), "/nowhere", Duration.ofSeconds(1), user -> {
        asked.add(user);
        return Optional.empty();
    });

    private Throwable open(String... options) {
        List<String> line = new ArrayList<>(List.of("list", "--name=orders"));
        line.addAll(List.of(options));
        return catchThrowable(() -> addresses.open(Options.parse(line)));
    }

    private int run(List<String> line) {
        PrintStream to = new PrintStream(errors, true, StandardCharsets.UTF_8);
        return new Leases(addresses::open, question -> Optional.empty(), to, to).run(line);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Redis: all text before the @ is a password, or contains one
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
                .hasMessageContaining("contains a password")
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dance",
                "list --dance",
                "list anna",
                "list --limit",
                "list --limit 0",
                "list --limit x",
                "list --limit 100001",
                "list --json=1",
                "list --limit 1 --limit 2",
                "show",
                "show a b",
                "parked --limit x",
                "parked a --limit 0",
                "parked a --after b",
                "replay a",
                "replay a b",
                "replay a 9223372036854775808",
                "release",
                "forget",
                "forget a",
                "forget --up-to 1 --idle 1d",
                "forget --up-to x",
                "forget a --up-to x",
                "forget --failed 1",
                "forget --idle -1d",
                "forget a --failed 1d",
                "forget --idle"
            })
    @DisplayName(
            "a wrong line is reported as such, with 2, and no password is asked for, even if the store is not there")
    void run_wrongLineAndNoStore_isMisuse(String wrong) {
        for (String store : NOT_THERE) {
            List<String> line = new ArrayList<>(List.of(wrong.split(" ")));
            line.addAll(1, List.of("--store", store, "--name", "orders", "--user", "me"));
            assertThat(run(line)).as("%s: %s", line, errors).isEqualTo(2);
        }
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--store redis://127.0.0.1:x",
                "--store redis://",
                "--store jdbc:postgresql://127.0.0.1:x/shop",
                "--store jdbc:postgresql://127.0.0.1:99999/shop",
                "--store jdbc:mariadb://127.0.0.1:x/shop",
                "--store jdbc:mariadb://127.0.0.1:1/shop?sslMode=maybe",
                "--store jdbc:oracle:thin:x",
                "--store memory",
                "--store redis://127.0.0.1:1 --prefix {a}",
                "--store redis://127.0.0.1:1 --prefix=",
                "--store jdbc:h2:./shop --prefix a",
                "--store=",
                ""
            })
    @DisplayName("a store that cannot be one is reported as such, with 2, and no password is asked for")
    void run_noAddress_isMisuse(String wrong) {
        List<String> line = new ArrayList<>(List.of("list", "--name=orders", "--user=me"));
        line.addAll(wrong.isEmpty() ? List.of() : List.of(wrong.split(" ")));
        assertThat(run(line)).as("%s", errors).isEqualTo(2);
        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("expected:");
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:h2:shop", "jdbc:h2:./shop;DANCE=TRUE", "jdbc:h2:./shop;DANCE"})
    @DisplayName("an address that H2 cannot read is reported as such, with 2")
    void run_noAddressOfH2_isMisuse(String address) {
        assertThat(run(List.of("list", "--name=orders", "--store", address)))
                .as("%s", errors)
                .isEqualTo(2);
    }

    @Test
    @DisplayName("names that a database has no room for are reported as such, with 2, before it is reached")
    void run_longNames_areMisuse() {
        String[] at = {"--store=jdbc:postgresql://127.0.0.1:1/shop", "--user=me"};
        assertThat(run(List.of("list", at[0], at[1], "--name", "n".repeat(101))))
                .isEqualTo(2);
        assertThat(run(List.of("list", at[0], at[1], "--name=n", "--after", "d".repeat(501))))
                .isEqualTo(2);
        assertThat(run(List.of("show", "d".repeat(501), at[0], at[1], "--name=n")))
                .isEqualTo(2);
        assertThat(asked).isEmpty();
    }

    @Test
    @DisplayName("for a right line the password is asked once, and the missing server is reported, with 3")
    void run_rightLineAndNoStore_isNotReached() {
        for (String store : NOT_THERE) {
            assertThat(run(List.of("list", "--store", store, "--name=orders", "--user=me")))
                    .as("%s", errors)
                    .isEqualTo(3);
        }
        assertThat(asked).hasSize(NOT_THERE.length);
        assertThat(open("--store", "jdbc:h2:./shop")).hasMessageContaining("/nowhere/");
        assertThat(open("--store", "jdbc:h2:mem:not-there")).hasMessageContaining("expected: one that is there");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"jdbc:postgresql://127.0.0.1:%d/shop", "jdbc:mariadb://127.0.0.1:%d/shop", "redis://127.0.0.1:%d"
            })
    @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @DisplayName("a store that takes the connection and says nothing is given up, with 3")
    void run_silentStore_isNotReached(String store) throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            assertThat(run(List.of("list", "--store", store.formatted(silent.getLocalPort()), "--name=orders")))
                    .as("%s", errors)
                    .isEqualTo(3);
        }
    }
}

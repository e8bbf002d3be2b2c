package io.tidegate.lab.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Registry;
import io.tidegate.lab.SceneTest;
import io.tidegate.lease.DomainSnapshot;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessCrewTest extends SceneTest {
    private static final Map<String, String> LOGIN = Map.of("TIDEGATE_USER", "shop", "TIDEGATE_PASSWORD", "geheim");

    @TempDir
    private Path folder;

    @Test
    void start_storeWithAPassword_workersLogInAndNoCommandLineHasIt() throws Exception {
        try (Connection first = DriverManager.getConnection("jdbc:h2:" + folder.resolve("orders"), "shop", "geheim")) {
            assertThat(first.isValid(0)).isTrue();
        }
        Store store = Store.parse("file:orders", folder, LOGIN);

        try (Crew crew = Crew.start(store, OrderPlan.DEFAULT, new OrderBook(), new Registry())) {
            assertThat(crew.members())
                    .hasSize(3)
                    .allMatch(member -> !member.state().equals("starting"));
            List<String> lines = ProcessHandle.current()
                    .children()
                    .map(child -> child.info().commandLine())
                    .flatMap(Optional::stream)
                    .filter(line -> line.contains(WorkerMain.class.getName()))
                    .toList();
            assertThat(lines).hasSize(3).noneMatch(line -> line.contains("geheim"));
        }
    }

    /** A plan in which the first order of a customer keeps its worker as long as the test takes. */
    private static OrderPlan endless() {
        OrderPlan lab = OrderPlan.DEFAULT;
        return new OrderPlan(
                lab.customers(),
                lab.orders(),
                lab.every(),
                Duration.ofHours(1),
                lab.poison(),
                lab.maxRetries(),
                lab.firstDelay(),
                lab.deaths(),
                lab.restart(),
                lab.patience());
    }

    @Test
    void close_ordersAtWorkAndWaiting_leavesNothingInTheStoreAndNoOtherFile() throws Exception {
        Store store = Store.parse("file:orders", folder, LOGIN);
        try (Crew crew = Crew.start(store, endless(), new OrderBook(), new Registry())) {
            for (long order = 1; order <= 5; order++) {
                assertThat(crew.offer("Ada", order)).isTrue();
            }
            DomainSnapshot ada = crew.inspect("Ada").orElseThrow();
            assertThat(ada.backlog()).isNotEmpty();
        }

        StoreFile.assertNothingIsLeft(folder, "shop", "geheim");
    }

    @Test
    void close_databaseClosedBefore_opensItAndLeavesNothing() throws Exception {
        Store store = Store.parse("file:orders", folder, LOGIN);
        Crew crew = Crew.start(store, OrderPlan.DEFAULT, new OrderBook(), new Registry());
        try (crew;
                Connection other = DriverManager.getConnection(store.address(), "shop", "geheim");
                Statement statement = other.createStatement()) {
            assertThat(crew.offer("Ada", 1)).isTrue();
            assertThat(crew.inspect("Ada")).isPresent();
            statement.execute("SHUTDOWN");
        }
        StoreFile.assertNothingIsLeft(folder, "shop", "geheim");
    }
}

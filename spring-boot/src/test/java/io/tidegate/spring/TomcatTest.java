package io.tidegate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

class TomcatTest extends WebTest {
    TomcatTest() {
        super(WebApplicationType.SERVLET, "");
    }

    @Test
    @DisplayName("SB-5 a request that keeps its thread holds its permit")
    void inbound_blocks_holdsItsPlace() {
        CompletableFuture<String> gate = new CompletableFuture<>();
        app.getBean(Api.class).gate = gate;
        CompletableFuture<HttpResponse<String>> first = Apps.getLater(app, "/api/block");
        CompletableFuture<HttpResponse<String>> second = Apps.getLater(app, "/api/block");
        awaitInFlight(2);
        assertThat(Apps.get(app, "/api/block").statusCode()).isEqualTo(503);
        gate.complete("done");
        assertThat(first.join().body()).isEqualTo("done");
        assertThat(second.join().body()).isEqualTo("done");
        awaitInFlight(0);
    }
}

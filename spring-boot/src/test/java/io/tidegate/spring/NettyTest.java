package io.tidegate.spring;

import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

class NettyTest extends WebTest {
    NettyTest() {
        super(WebApplicationType.REACTIVE, "");
    }

    @Test
    @DisplayName("SB-5 a request that its caller gives up gives its permit back")
    void inbound_givenUp_leavesItsPlace() {
        app.getBean(Api.class).gate = new CompletableFuture<>();
        CompletableFuture<HttpResponse<String>> request = Apps.getLater(app, "/api/hold");
        awaitInFlight(1);
        request.cancel(true);
        awaitInFlight(0);
    }
}

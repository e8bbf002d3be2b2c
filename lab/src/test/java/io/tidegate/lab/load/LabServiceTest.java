package io.tidegate.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class LabServiceTest {
    @Test
    void handle_oneRequest_answersAndLetsItOut() throws Exception {
        try (LabService service = LabService.start(() -> 204);
                HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<Void> answer = client.send(to(service.uri()), BodyHandlers.discarding());

            assertThat(answer.statusCode()).isEqualTo(204);
            assertThat(service.inside()).isZero();
            assertThat(service.peakInside()).isEqualTo(1);
        }
    }

    @Test
    void close_requestInside_dropsItAndFreesThePort() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            LabService service = LabService.start(new LimitedWork(1, Duration.ofDays(1)));
            CompletableFuture<?> dropped = client.sendAsync(to(service.uri()), BodyHandlers.discarding());
            while (service.inside() == 0) {
                Thread.onSpinWait();
            }
            service.close();

            assertThat(service.inside()).isZero();
            assertThatThrownBy(dropped::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IOException.class);
            assertThatThrownBy(() -> client.send(to(service.uri()), BodyHandlers.discarding()))
                    .isInstanceOf(ConnectException.class);
        }
    }

    private static HttpRequest to(URI uri) {
        return HttpRequest.newBuilder(uri).build();
    }
}

package io.tidegate.lab.play;

import io.tidegate.lab.load.LabService;
import io.tidegate.lab.load.Work;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A service on the loopback address, and a client that calls it. An answer with a status from 500 on is an error. */
final class Caller implements AutoCloseable {
    private static final int SERVER_ERROR = 500;

    private final LabService service;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(HttpClient.Builder.NO_PROXY)
            .executor(threads)
            .build();
    private final HttpRequest request;

    Caller(Work work) throws IOException {
        this.service = LabService.start(work);
        this.request = HttpRequest.newBuilder(service.uri()).build();
    }

    /** Sends a request and returns its status. */
    CompletionStage<Integer> call() {
        return client.sendAsync(request, BodyHandlers.discarding()).thenCompose(response -> {
            int status = response.statusCode();
            return status < SERVER_ERROR
                    ? CompletableFuture.completedStage(status)
                    : CompletableFuture.failedStage(new IOException("status " + status));
        });
    }

    /** Returns how many requests are inside the service. */
    int inside() {
        return service.inside();
    }

    @Override
    public void close() {
        client.shutdownNow();
        client.close();
        threads.shutdownNow();
        threads.close();
        service.close();
    }
}

package io.tidegate.examples.plain;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Asks the stock service. It knows nothing of guards. */
final class Inventory {
    record Stock(int pieces) {}

    private final HttpClient client = HttpClient.newHttpClient();
    private final URI service;

    Inventory(URI service) {
        this.service = service;
    }

    Stock stockOf(String article) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(service.resolve(article)).build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("the inventory answered " + response.statusCode());
        }
        return new Stock(Integer.parseInt(response.body()));
    }
}

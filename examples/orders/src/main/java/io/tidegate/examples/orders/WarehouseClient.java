package io.tidegate.examples.orders;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Asks the warehouse to ship, and hands the fence over with each order. */
final class WarehouseClient {
    private final HttpClient client = HttpClient.newHttpClient();
    private final URI warehouse;
    private final String worker;

    WarehouseClient(URI warehouse, String worker) {
        this.warehouse = warehouse;
        this.worker = worker;
    }

    void ship(String customer, long order, long fence) throws IOException, InterruptedException {
        URI request = warehouse.resolve(String.join("/", customer, "" + order, "" + fence, worker));
        int status = client.send(HttpRequest.newBuilder(request).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
        if (status != 200) {
            throw new IOException("the warehouse answered " + status);
        }
    }
}

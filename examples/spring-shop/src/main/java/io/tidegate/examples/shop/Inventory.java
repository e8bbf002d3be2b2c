package io.tidegate.examples.shop;

import io.tidegate.spring.Guarded;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;

/** Asks the inventory service, through the guard that application.yml describes. */
@Service
class Inventory {
    /** How many pieces there are, and why we believe so. */
    record Stock(String article, int pieces, String source) {}

    private final RestClient service;
    private final Map<String, Integer> known = new ConcurrentHashMap<>();

    Inventory(InventoryService service) {
        this.service = RestClient.create(service.uri());
    }

    @Guarded(value = "inventory", fallback = "lastKnown")
    Stock stockOf(String article) {
        String pieces =
                service.get().uri("/stock/{article}", article).retrieve().body(String.class);
        known.put(article, Integer.valueOf(pieces));
        return new Stock(article, known.get(article), "inventory");
    }

    /** The answer when the inventory has failed, is too slow, or is not to be asked. */
    Stock lastKnown(String article, Throwable error) {
        return new Stock(
                article, known.getOrDefault(article, 0), error.getClass().getSimpleName());
    }
}

package io.tidegate.examples.plain;

import io.tidegate.Part;
import io.tidegate.Refusal;
import io.tidegate.Registry;
import io.tidegate.examples.plain.Inventory.Stock;
import io.tidegate.guard.Guard;
import java.time.Duration;
import java.util.Optional;

/** A shop that asks an inventory service, which goes down for a while and comes back. */
public final class Plain {
    private final StockService service;
    private final Inventory inventory;
    private final Guard guard;

    // What the shop shows, though the inventory may be down.
    private Stock lastKnown = new Stock(0);

    private Plain(StockService service, Guard guard) {
        this.service = service;
        this.guard = guard;
        this.inventory = new Inventory(service.uri());
    }

    public static void main(String[] args) throws Exception {
        Guard guard = Guard.standard("inventory");
        Registry registry = new Registry();
        registry.add(guard);
        guard.parts().forEach(registry::add); // its breaker and its bulkhead
        registry.parts().forEach(Lines::of); // times are taken from the first reading on

        try (StockService service = new StockService()) {
            new Plain(service, guard).run();
        }
        for (Part part : registry.parts()) {
            Lines.of(part).forEach(System.out::println);
        }
    }

    private void run() throws InterruptedException {
        ask("up", 10);
        service.setDown(true);
        ask("down", 40);
        service.setDown(false);
        Duration pause = ask("back", 10);
        System.out.printf("waiting %.1f s, as the refusals say%n", pause.toMillis() / 1000.0);
        Thread.sleep(pause.plusMillis(100).toMillis());
        ask("well", 10);
    }

    /** Asks so many times, prints the results, and returns how long the last refusal says to wait. */
    private Duration ask(String phase, int times) throws InterruptedException {
        String article = "lamp";
        int failed = 0;
        int refused = 0;
        Duration retryAfter = Duration.ZERO;
        for (int i = 0; i < times; i++) {
            try {
                Stock stock = guard.call(() -> inventory.stockOf(article));
                lastKnown = stock;
            } catch (InterruptedException stop) {
                throw stop;
            } catch (Exception error) {
                Optional<Refusal> refusal = Refusal.in(error);
                if (refusal.isPresent()) {
                    refused++; // the service was not asked
                    retryAfter = refusal.get().retryAfter();
                } else {
                    failed++;
                }
            }
        }
        System.out.printf(
                "%-4s %2d calls: %2d answered, %d failed, %2d refused, by %2d requests; the shop shows %d pieces%n",
                phase, times, times - failed - refused, failed, refused, service.requests(), lastKnown.pieces());
        return retryAfter;
    }
}

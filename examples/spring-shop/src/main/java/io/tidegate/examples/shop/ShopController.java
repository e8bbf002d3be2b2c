package io.tidegate.examples.shop;

import io.tidegate.examples.shop.Inventory.Stock;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ShopController {
    private final Inventory inventory;

    ShopController(Inventory inventory) {
        this.inventory = inventory;
    }

    @GetMapping("/api/stock/{article}")
    Stock stockOf(@PathVariable String article) {
        return inventory.stockOf(article);
    }
}

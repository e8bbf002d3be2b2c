package io.tidegate.lab.play;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;

/**
 * A slider of a stage.
 *
 * @param name its name in requests
 * @param label its name on the page
 * @param unit the unit of its value
 * @param value returns its present value
 * @param moving sets its value
 */
record Slider(String name, String label, String unit, int min, int max, IntSupplier value, IntConsumer moving) {
    /**
     * Sets the value.
     *
     * @throws IllegalArgumentException if the value is outside the slider's range
     */
    void move(int wanted) {
        if (wanted < min || wanted > max) {
            throw new IllegalArgumentException(name + ": " + wanted + " (expected: " + min + " to " + max + ")");
        }
        moving.accept(wanted);
    }

    Map<String, Object> state() {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("name", name);
        state.put("label", label);
        state.put("unit", unit);
        state.put("min", min);
        state.put("max", max);
        state.put("value", value.getAsInt());
        return state;
    }
}

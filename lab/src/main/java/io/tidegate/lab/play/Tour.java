package io.tidegate.lab.play;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A guided tour: steps on a stage, each with an explanation.
 *
 * @param name the word that chooses it
 * @param title the text of its button
 * @param stage the name of its stage
 * @param steps what it shows, one after the other
 */
record Tour(String name, String title, String stage, List<Step> steps) {
    /**
     * One step.
     *
     * @param says what one sees and why, in two or three sentences
     * @param does what the tour does first
     * @param seen whether it can be seen now
     */
    record Step(String says, Runnable does, BooleanSupplier seen) {}
}

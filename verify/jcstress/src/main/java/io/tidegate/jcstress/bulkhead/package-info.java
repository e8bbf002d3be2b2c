/**
 * Races on Tidegate's bulkhead. Each class is one race with its table of outcomes; its body takes the bulkhead it is
 * run on, and the subclasses in {@code broken} run the same body on one that must not pass.
 */
@NullMarked
package io.tidegate.jcstress.bulkhead;

import org.jspecify.annotations.NullMarked;

/** Runs the examples. */
@NullMarked
package io.tidegate.examples;

import org.jspecify.annotations.NullMarked;

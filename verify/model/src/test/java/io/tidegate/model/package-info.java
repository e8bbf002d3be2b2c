/** Runs the formal models: each command of a model is a test. */
@NullMarked
package io.tidegate.model;

import org.jspecify.annotations.NullMarked;

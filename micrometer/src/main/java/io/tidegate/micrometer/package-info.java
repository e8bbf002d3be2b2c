/** Binds the parts of a {@link io.tidegate.Registry} to meter registries of Micrometer. */
@NullMarked
package io.tidegate.micrometer;

import org.jspecify.annotations.NullMarked;

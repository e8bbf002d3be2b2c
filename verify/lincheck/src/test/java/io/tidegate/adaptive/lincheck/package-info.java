/** Linearizability of a limit that moves. Start at {@link io.tidegate.adaptive.lincheck.AdaptiveLincheckTest}. */
@NullMarked
package io.tidegate.adaptive.lincheck;

import org.jspecify.annotations.NullMarked;

/** What the linearizability checks of all parts share. */
@NullMarked
package io.tidegate.lincheck;

import org.jspecify.annotations.NullMarked;

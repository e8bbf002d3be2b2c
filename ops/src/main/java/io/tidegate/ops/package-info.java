/** The command that operators look after leases with. */
@NullMarked
package io.tidegate.ops;

import org.jspecify.annotations.NullMarked;

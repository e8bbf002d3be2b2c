/** The command by which operators inspect and repair leases. */
@NullMarked
package io.tidegate.ops;

import org.jspecify.annotations.NullMarked;

/**
 * Linearizability checks of the group executor's permits. Start at {@link
 * io.tidegate.group.lincheck.GroupLincheckTest}.
 */
@NullMarked
package io.tidegate.group.lincheck;

import org.jspecify.annotations.NullMarked;

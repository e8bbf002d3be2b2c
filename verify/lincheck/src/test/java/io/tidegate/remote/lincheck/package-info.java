/** Linearizability checks of the remote bulkhead. Start at {@link io.tidegate.remote.lincheck.RemoteLincheckTest}. */
@NullMarked
package io.tidegate.remote.lincheck;

import org.jspecify.annotations.NullMarked;

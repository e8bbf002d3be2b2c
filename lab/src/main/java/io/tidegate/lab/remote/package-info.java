/** The scene of the remote bulkhead: a cap that is lowered under load. */
@NullMarked
package io.tidegate.lab.remote;

import org.jspecify.annotations.NullMarked;

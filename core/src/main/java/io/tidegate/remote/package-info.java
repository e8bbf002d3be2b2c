/**
 * The remote bulkhead: a gated, deterministic cap on remote operations, with a bounded queue, drain and an audit log.
 */
@NullMarked
package io.tidegate.remote;

import org.jspecify.annotations.NullMarked;

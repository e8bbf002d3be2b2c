/** Tests of the lease runner: its outcomes, stops and crashes. */
@NullMarked
package io.tidegate.lease.runner;

import org.jspecify.annotations.NullMarked;

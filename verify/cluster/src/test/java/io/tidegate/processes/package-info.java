/** Several worker processes on one engine, among faults, and the check of all that they did and were told. */
@NullMarked
package io.tidegate.processes;

import org.jspecify.annotations.NullMarked;

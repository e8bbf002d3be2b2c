/** Several worker processes on one engine, among faults, and the check of their operations and answers. */
@NullMarked
package io.tidegate.processes;

import org.jspecify.annotations.NullMarked;

/** The scene of the guard: callers that retry while a service is down. */
@NullMarked
package io.tidegate.lab.guard;

import org.jspecify.annotations.NullMarked;

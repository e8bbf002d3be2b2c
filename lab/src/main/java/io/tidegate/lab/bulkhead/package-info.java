/** The scene of the bulkhead: a service that is offered more than it can carry. */
@NullMarked
package io.tidegate.lab.bulkhead;

import org.jspecify.annotations.NullMarked;

/** Orders in order for each customer, by workers that die: on leases in memory, or in processes on an engine. */
@NullMarked
package io.tidegate.lab.orders;

import org.jspecify.annotations.NullMarked;

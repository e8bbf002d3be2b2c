/**
 * Runs the released jars of other libraries' breakers beside Tidegate's and tells what each does.
 *
 * <p>A {@link io.tidegate.peers.Subject} is a breaker of some library, a {@link io.tidegate.peers.Probe} puts any of them
 * into one situation. Start at {@link io.tidegate.peers.Peers}.
 */
@NullMarked
package io.tidegate.peers;

import org.jspecify.annotations.NullMarked;

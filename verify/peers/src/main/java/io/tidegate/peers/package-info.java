/**
 * Runs the released jars of other libraries beside Tidegate and shows what each does.
 *
 * <p>A {@link io.tidegate.peers.LibraryBreaker} is a breaker of some library, a {@link io.tidegate.peers.Probe} puts
 * any of them into one situation; so do a {@link io.tidegate.peers.Composition} of several parts and a {@link
 * io.tidegate.peers.CompositionProbe}. Start at {@link io.tidegate.peers.Peers}.
 */
@NullMarked
package io.tidegate.peers;

import org.jspecify.annotations.NullMarked;

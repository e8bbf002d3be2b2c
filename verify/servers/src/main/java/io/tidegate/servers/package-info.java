/**
 * Real servers for tests and benchmarks, each found, unpacked, started, killed and stopped by one class.
 *
 * <p>A server does not wait for the disk unless told to: that only matters when the machine dies. It listens on a port
 * that the caller picks, keeps its data in a folder of its own, and ends with the JVM at the latest.
 */
@NullMarked
package io.tidegate.servers;

import org.jspecify.annotations.NullMarked;

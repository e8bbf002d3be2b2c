/** Connections between a client and a server that break, for the tests of engines. */
@NullMarked
package io.tidegate.relay;

import org.jspecify.annotations.NullMarked;

/** What the tests of engines share: connections between a client and a server that break, and ports for servers. */
@NullMarked
package io.tidegate.relay;

import org.jspecify.annotations.NullMarked;

/** What tests of engines share: connections that break, ports for servers, and claims. */
@NullMarked
package io.tidegate.relay;

import org.jspecify.annotations.NullMarked;

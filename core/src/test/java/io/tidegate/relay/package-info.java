/** What tests of engines share: connections that break, and claims. */
@NullMarked
package io.tidegate.relay;

import org.jspecify.annotations.NullMarked;

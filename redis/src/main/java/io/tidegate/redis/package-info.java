/** The work lease on Redis or Valkey: one for all processes that share a server. */
@NullMarked
package io.tidegate.redis;

import org.jspecify.annotations.NullMarked;

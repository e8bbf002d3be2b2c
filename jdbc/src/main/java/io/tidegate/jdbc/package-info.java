/** The work lease on a database, for many processes. */
@NullMarked
package io.tidegate.jdbc;

import org.jspecify.annotations.NullMarked;

/** The group executor, measured. */
@NullMarked
package io.tidegate.bench.groups;

import org.jspecify.annotations.NullMarked;

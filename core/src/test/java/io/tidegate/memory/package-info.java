/** What calls allocate, for the tests of every part. */
@NullMarked
package io.tidegate.memory;

import org.jspecify.annotations.NullMarked;

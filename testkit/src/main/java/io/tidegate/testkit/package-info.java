/** Checks for tests of programs that use Tidegate. */
@NullMarked
package io.tidegate.testkit;

import org.jspecify.annotations.NullMarked;

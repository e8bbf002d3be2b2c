/** Two threads that meet at the same instant, for the tests of every part. */
@NullMarked
package io.tidegate.race;

import org.jspecify.annotations.NullMarked;

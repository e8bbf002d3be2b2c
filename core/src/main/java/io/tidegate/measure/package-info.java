/** What parts measure of themselves: times, who holds what, and what a flight recording is told. Not exported. */
@NullMarked
package io.tidegate.measure;

import org.jspecify.annotations.NullMarked;

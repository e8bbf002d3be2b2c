/** What parts measure of themselves: times, who holds what, and what a flight recording is told. For the
 * library's own modules. */
@NullMarked
package io.tidegate.measure;

import org.jspecify.annotations.NullMarked;

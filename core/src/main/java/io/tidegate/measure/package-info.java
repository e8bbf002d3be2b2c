/**
 * What parts measure: times, holders of permits, and the events of flight recordings. For the library's own modules.
 */
@NullMarked
package io.tidegate.measure;

import org.jspecify.annotations.NullMarked;

/** What all parts share. */
@NullMarked
package io.tidegate;

import org.jspecify.annotations.NullMarked;

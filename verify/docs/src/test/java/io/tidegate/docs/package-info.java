/** The documents, checked like code. */
@NullMarked
package io.tidegate.docs;

import org.jspecify.annotations.NullMarked;

/** What the races of all parts share: how they are run and judged. */
@NullMarked
package io.tidegate.jcstress;

import org.jspecify.annotations.NullMarked;

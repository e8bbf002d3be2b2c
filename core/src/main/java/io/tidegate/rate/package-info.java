@NullMarked
package io.tidegate.rate;

import org.jspecify.annotations.NullMarked;

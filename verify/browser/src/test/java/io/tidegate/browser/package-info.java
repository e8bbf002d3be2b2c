/** The console's page in a real browser. */
@NullMarked
package io.tidegate.browser;

import org.jspecify.annotations.NullMarked;

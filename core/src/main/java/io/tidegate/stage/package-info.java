/** How the parts follow operations that are stages, and end the futures they return. Not exported. */
@NullMarked
package io.tidegate.stage;

import org.jspecify.annotations.NullMarked;

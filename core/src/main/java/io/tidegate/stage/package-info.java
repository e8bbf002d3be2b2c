/**
 * How parts follow operations that are stages, end the futures they return, and keep tasks from nesting. Not exported.
 */
@NullMarked
package io.tidegate.stage;

import org.jspecify.annotations.NullMarked;

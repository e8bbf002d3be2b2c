/**
 * Programs outside the library: each uses every name that users of a part rely on, in the way users do. The test is
 * that they compile: names can be added, but none must disappear or change.
 */
@NullMarked
package io.tidegate.outside;

import org.jspecify.annotations.NullMarked;

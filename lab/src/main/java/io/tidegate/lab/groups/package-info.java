/** The scene of the group executor: one tenant of several goes wild. */
@NullMarked
package io.tidegate.lab.groups;

import org.jspecify.annotations.NullMarked;

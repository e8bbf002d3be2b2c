/**
 * The group executor: runs tasks on virtual threads, with limits for each group of tasks and for all of them, so that
 * an overloaded group does not stop the others.
 *
 * <p>Start at {@link io.tidegate.group.GroupExecutor}.
 */
@NullMarked
package io.tidegate.group;

import org.jspecify.annotations.NullMarked;

/** What all scenes share: how figures are printed, for people and for machines. */
@NullMarked
package io.tidegate.lab.print;

import org.jspecify.annotations.NullMarked;

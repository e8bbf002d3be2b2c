/** The scene of the adaptive limit: a service whose capacity changes, in virtual time. */
@NullMarked
package io.tidegate.lab.adaptive;

import org.jspecify.annotations.NullMarked;

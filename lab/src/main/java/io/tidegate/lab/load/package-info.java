/** What all scenes share: a service, the load on it, and the outcomes of the calls. */
@NullMarked
package io.tidegate.lab.load;

import org.jspecify.annotations.NullMarked;

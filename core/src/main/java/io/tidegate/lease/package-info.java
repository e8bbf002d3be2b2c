/** The work lease: exclusive work in order of arrival for each domain, with a fencing token. */
@NullMarked
package io.tidegate.lease;

import org.jspecify.annotations.NullMarked;

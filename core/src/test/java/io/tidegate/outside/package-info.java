/**
 * Programs outside of the library: each uses every name that users of a part rely on, in the way they do. That they
 * compile is the test: a name may be added, but none may go or change.
 */
@NullMarked
package io.tidegate.outside;

import org.jspecify.annotations.NullMarked;

/** Guards around the calls of HTTP clients. */
@NullMarked
package io.tidegate.spring.http;

import org.jspecify.annotations.NullMarked;

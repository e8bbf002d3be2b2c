/** Guards by configuration for Spring Boot, and {@link io.tidegate.spring.Guarded} for the methods of beans. */
@NullMarked
package io.tidegate.spring;

import org.jspecify.annotations.NullMarked;

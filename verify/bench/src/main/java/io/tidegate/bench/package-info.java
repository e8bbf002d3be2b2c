/**
 * Measures the parts beside floors and peers, in one run, and prints one table.
 *
 * <p>A part is measured by JMH benchmarks and described by a {@link io.tidegate.bench.Part}, listed in
 * {@link io.tidegate.bench.Bench#PARTS}. Start at {@link io.tidegate.bench.Bench}.
 */
@NullMarked
package io.tidegate.bench;

import org.jspecify.annotations.NullMarked;

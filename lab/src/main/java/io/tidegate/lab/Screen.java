package io.tidegate.lab;

import java.io.PrintStream;

/**
 * Where a scene is seen.
 *
 * @param out what it prints on
 * @param terminal whether a line there can be written over
 */
record Screen(PrintStream out, boolean terminal) {}

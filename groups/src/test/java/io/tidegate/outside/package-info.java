/**
 * A program outside of the library, as those in the tests of core: it uses every name that users of the group executor
 * rely on. That it compiles is the test.
 */
package io.tidegate.outside;

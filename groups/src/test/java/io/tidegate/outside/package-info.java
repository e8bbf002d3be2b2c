/**
 * A program outside the library, like those in the tests of core. It uses every name that users of the group executor
 * rely on; the test is that it compiles.
 */
package io.tidegate.outside;

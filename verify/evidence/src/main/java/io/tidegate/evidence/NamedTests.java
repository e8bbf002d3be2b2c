package io.tidegate.evidence;

import java.util.Optional;
import java.util.Set;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.launcher.PostDiscoveryFilter;

/**
 * Runs inside a test JVM and keeps only tests that name a rule of the requested families, in their own display name or
 * that of their class. Does nothing if no family is requested.
 */
public final class NamedTests implements PostDiscoveryFilter {
    /** The system property with the families, separated by commas. */
    static final String FAMILIES = "tidegate.evidence.families";

    private final Set<String> families;

    /** Called by JUnit. */
    public NamedTests() {
        this(System.getProperty(FAMILIES, ""));
    }

    NamedTests(String given) {
        families = given.isEmpty() ? Set.of() : Set.of(given.split(",", -1));
    }

    @Override
    public FilterResult apply(TestDescriptor test) {
        return FilterResult.includedIf(families.isEmpty() || isNamed(test));
    }

    private boolean isNamed(TestDescriptor test) {
        for (Optional<TestDescriptor> at = Optional.of(test);
                at.isPresent();
                at = at.get().getParent()) {
            if (RuleNames.in(at.get().getDisplayName()).stream()
                    .map(RuleNames::family)
                    .anyMatch(families::contains)) {
                return true;
            }
        }
        return false;
    }
}

package io.tidegate.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Describes in a few lines what is wrong with a property. */
final class StartFailureAnalyzer extends AbstractFailureAnalyzer<BadPropertyException> {
    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, BadPropertyException cause) {
        String description = """
                A property of Tidegate is not what was expected:

                    Property: %s
                    Value: %s
                    Expected: %s""".formatted(cause.property, cause.value, cause.expected);
        return new FailureAnalysis(description, "Change the property.", cause);
    }
}

package io.tidegate.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Describes what is wrong with a guarded method. */
final class GuardedMethodAnalyzer extends AbstractFailureAnalyzer<GuardedMethodException> {
    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, GuardedMethodException cause) {
        return new FailureAnalysis(cause.getMessage(), "Change the annotation, or what it names.", cause);
    }
}

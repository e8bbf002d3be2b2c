package io.tidegate.adaptive;

/** Which limit is tested. */
enum Algorithm {
    GRADIENT {
        @Override
        AdaptiveLimit.Builder builder() {
            return AdaptiveLimit.gradient();
        }
    },
    AIMD {
        @Override
        AdaptiveLimit.Builder builder() {
            return AdaptiveLimit.aimd();
        }
    };

    abstract AdaptiveLimit.Builder builder();
}

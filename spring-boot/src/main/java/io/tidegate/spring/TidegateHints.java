package io.tidegate.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/** Lets native images bind the properties, and find the files of the console. */
final class TidegateHints implements RuntimeHintsRegistrar {
    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.resources().registerPattern("io/tidegate/console/page/*");
        hints.resources().registerPattern("META-INF/resources/webjars/chart.js/*");
        BindableRuntimeHintsRegistrar.forTypes(TidegateProperties.class).registerHints(hints);
    }
}

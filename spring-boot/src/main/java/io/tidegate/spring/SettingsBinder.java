package io.tidegate.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.env.Environment;

/** Reads the properties. An unknown name is a mistake; an empty section has its defaults. */
final class SettingsBinder extends AbstractBindHandler {
    static final String PREFIX = "tidegate";

    /** The name of the bean with the settings of the start. */
    static final String BEAN = "tidegateSettings";

    private SettingsBinder() {
        super(new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter()));
    }

    /**
     * Reads the present settings.
     *
     * @throws BadPropertyException for the first property that is not as expected
     * @throws BindException if properties cannot be read for another reason, which Boot itself reports
     */
    static TidegateProperties read(Environment environment) {
        try {
            return binder(environment)
                    .bindOrCreate(PREFIX, Bindable.of(TidegateProperties.class), new SettingsBinder());
        } catch (BindException failed) {
            throw explained(failed, environment);
        }
    }

    /* Empty sections come last: they exist, and no setting in them is set. */
    private static Binder binder(Environment environment) {
        List<ConfigurationPropertySource> sources = new ArrayList<>();
        ConfigurationPropertySources.get(environment).forEach(sources::add);
        sources.add(new MapConfigurationPropertySource(EmptySections.in(environment)));
        return new Binder(sources, new PropertySourcesPlaceholdersResolver(environment));
    }

    private static RuntimeException explained(BindException failed, Environment environment) {
        if (failed.getCause() instanceof UnboundConfigurationPropertiesException unknown) {
            ConfigurationProperty first =
                    unknown.getUnboundProperties().iterator().next();
            boolean empty = first.getValue().toString().isBlank(); // Boot treats a blank as no value
            return new BadPropertyException(
                    first.getName().toString(),
                    first.getValue(),
                    (empty ? "a value, of " : "")
                            + "a property that there is: see the guide, or what an editor proposes");
        }
        if (!(failed.getCause() instanceof ConversionException)) {
            return failed;
        }
        String name = failed.getName().toString();
        Class<?> type = failed.getTarget().getType().resolve(Object.class);
        ConfigurationProperty property = failed.getProperty();
        Object value = property == null ? environment.getProperty(name) : property.getValue();
        return new BadPropertyException(name, value, expected(type));
    }

    private static String expected(Class<?> type) {
        if (type == Duration.class) {
            return "a duration, such as 500ms, 2s or 5m";
        }
        if (type == int.class || type == Integer.class || type == Long.class) {
            return "a whole number";
        }
        if (type == double.class) {
            return "a number";
        }
        if (type == boolean.class) {
            return "true or false";
        }
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(" or "));
        }
        return "a section of properties";
    }

    @Override
    public @Nullable Object onFailure(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) throws Exception {
        Class<?> type = target.getType().resolve(Object.class);
        if (type.isRecord() && isEmptyText(name, context)) {
            Object defaults = new Binder().bindOrCreate(name, Bindable.of(type), BindHandler.DEFAULT);
            return super.onSuccess(name, target, context, defaults);
        }
        return super.onFailure(name, target, context, error);
    }

    /* YAML turns an empty section into an empty text. */
    private static boolean isEmptyText(ConfigurationPropertyName name, BindContext context) {
        for (ConfigurationPropertySource source : context.getSources()) {
            ConfigurationProperty property = source.getConfigurationProperty(name);
            if (property != null) {
                return isEmpty(property.getValue());
            }
        }
        return false;
    }

    /* Matches "retry:", or "retry: {}" in Boot 4. */
    private static boolean isEmpty(Object value) {
        return "".equals(value) || (value instanceof Map<?, ?> section && section.isEmpty());
    }
}

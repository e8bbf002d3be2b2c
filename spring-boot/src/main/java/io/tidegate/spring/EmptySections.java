package io.tidegate.spring;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.YamlProcessor;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.Resource;

/**
 * Finds sections such as {@code retry: {}} in the YAML files of an environment. Boot 3 drops them, though {@code
 * retry:} is a section with its defaults; a layer or a whole guard would be missing without notice.
 */
final class EmptySections {
    private static final Pattern EMPTY = Pattern.compile("\\{\\s*}");
    private static final Pattern DOCUMENT = Pattern.compile("\\(document #(\\d+)\\)");

    private final Map<String, Object> found = new HashMap<>();

    private EmptySections() {}

    /** Returns the names of these sections, each with the value that YAML gives to an empty section. */
    static Map<String, Object> in(Environment environment) {
        EmptySections sections = new EmptySections();
        if (environment instanceof ConfigurableEnvironment configurable) {
            for (PropertySource<?> source : configurable.getPropertySources()) {
                Resource file = yaml(source);
                if (file != null) {
                    sections.find(file, source.getName());
                }
            }
        }
        return sections.found;
    }

    /* Returns the YAML file of a source, which the origin of one of its properties shows. */
    private static @Nullable Resource yaml(PropertySource<?> source) {
        if (source instanceof EnumerablePropertySource<?> all && source instanceof OriginLookup<?>) {
            String[] names = all.getPropertyNames();
            Origin origin = names.length == 0 ? null : OriginLookup.getOrigin(source, names[0]);
            Resource file = origin instanceof TextResourceOrigin text ? text.getResource() : null;
            String name = file == null ? null : file.getFilename();
            return name != null && (name.endsWith(".yml") || name.endsWith(".yaml")) ? file : null;
        }
        return null;
    }

    private void find(Resource file, String source) {
        try {
            if (EMPTY.matcher(file.getContentAsString(StandardCharsets.UTF_8)).find()) {
                List<Map<String, Object>> documents = new Documents(file).read();
                Matcher numbered = DOCUMENT.matcher(source);
                int document = numbered.find() ? Integer.parseInt(numbered.group(1)) : 0;
                find("", documents.get(document));
            }
        } catch (IOException | IndexOutOfBoundsException changed) {
            // the file has changed since Boot read it: the content that Boot read counts
        }
    }

    private void find(String at, Map<?, ?> section) {
        section.forEach((key, value) -> {
            String name = String.valueOf(key);
            String path = at.isEmpty() || name.startsWith("[") ? at + name : at + "." + name;
            if (value instanceof Map<?, ?> inner && isOurs(path)) {
                if (inner.isEmpty()) {
                    found.put(path, "");
                } else {
                    find(path, inner);
                }
            }
        });
    }

    private static boolean isOurs(String path) {
        return path.equals(SettingsBinder.PREFIX) || path.startsWith(SettingsBinder.PREFIX + ".");
    }

    /** Reads a file as Boot does. */
    private static final class Documents extends YamlProcessor {
        Documents(Resource file) {
            setResources(file);
        }

        List<Map<String, Object>> read() {
            List<Map<String, Object>> documents = new ArrayList<>();
            process((properties, document) -> documents.add(document));
            return documents;
        }
    }
}

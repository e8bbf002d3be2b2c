package io.tidegate.docs;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** The public names of a module: its public types, with all members that other programs can use. */
final class Api {
    private static final String NAME = "io.tidegate.";
    private static final ToolProvider JAVAP = ToolProvider.findFirst("javap").orElseThrow();

    private Api() {}

    /** Returns the library's modules on the class path, by their names. */
    static TreeMap<String, ModuleReference> modules() {
        Path[] places = Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
                .filter(place -> place.contains("tidegate") || place.endsWith("classes"))
                .map(Path::of)
                .toArray(Path[]::new);
        TreeMap<String, ModuleReference> modules = new TreeMap<>();
        for (Path place : places) {
            for (ModuleReference module : ModuleFinder.of(place).findAll()) {
                if (module.descriptor().name().startsWith(NAME)) {
                    modules.put(module.descriptor().name(), module);
                }
            }
        }
        return modules;
    }

    /**
     * Returns a line for each type, and below it one for each member, in an order that does not depend on the source.
     */
    static String of(ModuleReference module) {
        StringBuilder text = new StringBuilder();
        for (List<String> type : types(module)) {
            text.append(type.get(0)).append('\n');
            type.stream()
                    .skip(1)
                    .sorted()
                    .forEach(member -> text.append("    ").append(member).append('\n'));
        }
        return text.toString();
    }

    private static List<List<String>> types(ModuleReference module) {
        List<String> classes = new ArrayList<>();
        try (ModuleReader reader = module.open();
                Stream<String> files = reader.list()) {
            files.filter(isExported(module.descriptor()))
                    .filter(file -> file.endsWith(".class") && !file.endsWith("-info.class"))
                    .sorted()
                    .forEach(file -> classes.add(reader(reader, file)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        List<List<String>> types = new ArrayList<>();
        List<String> type = new ArrayList<>();
        for (String line : javap(classes).lines().map(String::strip).toList()) {
            if (line.endsWith("{")) {
                type = new ArrayList<>(List.of(line.replace(" {", "")));
            } else if (line.equals("}")) {
                if (type.get(0).startsWith("public ") || type.get(0).startsWith("protected ")) {
                    types.add(type);
                }
            } else if (!line.startsWith("Compiled from") && !line.isEmpty()) {
                type.add(line);
            }
        }
        return types;
    }

    private static String reader(ModuleReader reader, String file) {
        try {
            return reader.find(file).orElseThrow().toString();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /* Accepts all packages if the module has no descriptor. */
    private static Predicate<String> isExported(ModuleDescriptor descriptor) {
        if (descriptor.isAutomatic()) {
            return file -> true;
        }
        List<String> folders = descriptor.exports().stream()
                .filter(exported -> !exported.isQualified())
                .map(exported -> exported.source().replace('.', '/'))
                .toList();
        return file -> file.lastIndexOf('/') > 0 && folders.contains(file.substring(0, file.lastIndexOf('/')));
    }

    private static String javap(List<String> classes) {
        StringWriter out = new StringWriter();
        StringWriter errors = new StringWriter();
        List<String> args = new ArrayList<>(List.of("-protected"));
        args.addAll(classes);
        int code = JAVAP.run(new PrintWriter(out), new PrintWriter(errors), args.toArray(String[]::new));
        if (code != 0) {
            throw new IllegalStateException(errors.toString());
        }
        return out.toString();
    }
}

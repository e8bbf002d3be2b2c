import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Run by each module if tests are asked for by name, as a module without such a test is left out in silence: fails if
 * no module that is built has it. A method may be inherited, so it is looked for everywhere.
 */
class RequireTest {
    private static final Pattern BUILT = Pattern.compile("@ (\\S+?)[/\\\\]pom\\.xml");

    public static void main(String[] args) throws IOException {
        String asked = args[0];
        List<Path> sources = sources(args[1]);
        List<String> names = new ArrayList<>();
        for (String name : asked.split(",")) {
            if (!name.isBlank() && !name.startsWith("!") && !name.startsWith("%")) {
                names.add(name.trim());
            }
        }
        boolean found = names.isEmpty();
        for (String name : names) {
            found |= isThere(name, sources, Path.of(args[2]));
        }
        if (!found) {
            System.err.println("test: " + asked + " (expected: the name of a test in a module that is built)");
            System.exit(1);
        }
    }

    private static List<Path> sources(String projects) throws IOException {
        List<Path> sources = new ArrayList<>();
        Matcher project = BUILT.matcher(projects);
        while (project.find()) {
            sources.addAll(javaIn(Path.of(project.group(1), "src", "test", "java")));
        }
        return sources;
    }

    private static List<Path> javaIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static boolean isThere(String name, List<Path> sources, Path root) throws IOException {
        String[] parts = name.split("#", 2);
        Pattern type = Pattern.compile(".*[/\\\\]" + regex(parts[0].replaceFirst("\\.(java|class)$", "")) + "\\.java");
        if (sources.stream().noneMatch(file -> type.matcher(file.toString()).matches())) {
            return false;
        }
        return parts.length == 1 || hasMethod(parts[1], root);
    }

    private static boolean hasMethod(String methods, Path root) throws IOException {
        StringBuilder any = new StringBuilder();
        for (String method : methods.split("\\+")) {
            any.append(any.isEmpty() ? "" : "|").append(regex(method.replaceFirst("[(\\[].*", "")));
        }
        Pattern declared = Pattern.compile("\\b(?:" + any + ")\\s*\\(");
        for (Path file : javaIn(root)) {
            String path = file.toString().replace('\\', '/');
            boolean holdsTests = path.contains("/src/test/") || path.contains("/testkit/src/main/");
            if (holdsTests && declared.matcher(Files.readString(file)).find()) {
                return true;
            }
        }
        return false;
    }

    /** Stars and question marks as surefire has them; a nested class is in the file of the outer one. */
    private static String regex(String pattern) {
        StringBuilder regex = new StringBuilder();
        for (char c : pattern.replaceFirst("\\$.*", "").toCharArray()) {
            switch (c) {
                case '*' -> regex.append(".*");
                case '?' -> regex.append('.');
                case '.', '/' -> regex.append("[/\\\\]");
                default -> regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        return regex.toString();
    }
}

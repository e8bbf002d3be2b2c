package io.tidegate.docs;

import static java.util.Comparator.comparingLong;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import com.sun.source.util.JavacTask;
import io.lettuce.core.RedisClient;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.console.Console;
import io.tidegate.group.GroupExecutor;
import io.tidegate.jdbc.JdbcWorkLease;
import io.tidegate.micrometer.TidegateMetrics;
import io.tidegate.redis.RedisWorkLease;
import io.tidegate.spring.Guarded;
import io.tidegate.testkit.BulkheadAudit;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * A block of Java in a page. A comment {@code <!-- given: … -->} directly above it contains what the block needs and a
 * reader does not: members of an interface, so that a method needs no body.
 *
 * <p>A block that begins with an import and needs nothing given is a whole file. All others are statements or members
 * of a class; their imports say which of two types of one name is meant.
 *
 * <p>The compiled source has every line at its place in the page, so that the compiler's messages name lines of the
 * page.
 */
record Snippet(Page page, Page.Block block) {
    private static final String GIVEN = "<!-- given:";
    private static final String END_OF_GIVEN = "-->";
    private static final String IMPORT = "import ";
    private static final String HEAD =
            "import io.tidegate.*; import io.tidegate.adaptive.*; import io.tidegate.breaker.*; "
                    + "import io.tidegate.bulkhead.*; import io.tidegate.cluster.*; "
                    + "import io.tidegate.group.*; import io.tidegate.guard.*; import io.tidegate.rate.*; "
                    + "import io.tidegate.retry.*; "
                    + "import io.tidegate.jdbc.*; import io.tidegate.lease.*; import io.tidegate.micrometer.*; "
                    + "import io.tidegate.redis.*; "
                    + "import io.tidegate.remote.*; import io.tidegate.spring.*; import io.tidegate.spring.http.*; "
                    + "import io.tidegate.testkit.*; "
                    + "import org.springframework.beans.factory.annotation.Qualifier; "
                    + "import org.springframework.context.annotation.Bean; "
                    + "import org.springframework.web.client.RestClient; "
                    + "import org.springframework.web.reactive.function.client.WebClient; "
                    + "import io.lettuce.core.RedisClient; import io.lettuce.core.RedisURI; "
                    + "import io.lettuce.core.api.StatefulRedisConnection; "
                    + "import io.tidegate.console.Console; import java.io.*; import java.net.http.HttpClient; "
                    + "import java.nio.file.*; import java.time.*; import java.util.*; "
                    + "import java.util.concurrent.*; import java.util.concurrent.atomic.*; "
                    + "import java.util.function.*; ";
    private static final JavaCompiler COMPILER = requireNonNull(ToolProvider.getSystemJavaCompiler());

    /** What a block can be, with the text before and after it. */
    private enum Form {
        STATEMENTS("} abstract class Snippet implements Given { void snippet() throws Exception {", "}}"),
        MEMBERS("} abstract class Snippet implements Given {", "}");

        final String opening;
        final String closing;

        Form(String opening, String closing) {
            this.opening = opening;
            this.closing = closing;
        }
    }

    int length() {
        return block.close() - block.open() - 1;
    }

    /** Returns the compiler's messages about the snippet, warnings included; each names its line. */
    List<String> problems() {
        List<String> options =
                List.of("--release", release(), "-Xlint:all,-options", "-proc:none", "--class-path", libraries());
        return compile(form(), options, JavacTask::analyze).stream()
                .map(this::describe)
                .toList();
    }

    /*
     * Returns the form in which the parser gets further. It parses without libraries, because opening them takes longer
     * than reading the text.
     */
    private Form form() {
        return Stream.of(Form.values())
                .max(comparingLong(this::firstSyntaxError))
                .orElseThrow();
    }

    private long firstSyntaxError(Form form) {
        List<String> options = List.of("--source", release(), "-Xlint:-options", "-proc:none");
        return compile(form, options, JavacTask::parse).stream()
                .mapToLong(Diagnostic::getLineNumber)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private interface Work {
        Object run(JavacTask task) throws IOException;
    }

    private List<Diagnostic<? extends JavaFileObject>> compile(Form form, List<String> options, Work work) {
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        JavacTask task =
                (JavacTask) COMPILER.getTask(null, null, diagnostics, options, null, List.of(new Source(source(form))));
        try {
            work.run(task);
        } catch (IOException e) {
            throw new IllegalStateException(toString(), e);
        }
        return diagnostics.getDiagnostics();
    }

    /** Returns 21 for the group executor's pages and 17 for all others. */
    private String release() {
        return page.name().endsWith("group-executor.md") ? "21" : "17";
    }

    private static String libraries() {
        return Stream.of(
                        AsyncBulkhead.class,
                        GroupExecutor.class,
                        BulkheadAudit.class,
                        JdbcWorkLease.class,
                        RedisWorkLease.class,
                        RedisClient.class,
                        Console.class,
                        TidegateMetrics.class,
                        MeterRegistry.class,
                        KeyValue.class,
                        Guarded.class,
                        Reflective.class,
                        Qualifier.class,
                        Bean.class,
                        RestClient.class,
                        WebClient.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .map(location -> Path.of(URI.create(location.toString())).toString())
                .collect(joining(File.pathSeparator));
    }

    /* Whether the block is compiled as it is. */
    private boolean isFile() {
        return page.lines().get(block.open() + 1).startsWith(IMPORT) && startOfGiven() == block.open();
    }

    private String source(Form form) {
        List<String> source = new ArrayList<>();
        int start = isFile() ? block.open() : startOfGiven();
        for (int i = 0; i < start; i++) {
            source.add("");
        }
        for (String line : page.lines().subList(start, block.open())) {
            source.add(line.replace(GIVEN, head()).replace(END_OF_GIVEN, ""));
        }
        source.add(isFile() ? "" : (start == block.open() ? head() : "") + form.opening);
        for (String line : body()) {
            source.add(!isFile() && line.startsWith(IMPORT) ? "" : line);
        }
        source.add(isFile() ? "" : form.closing);
        return String.join("\n", source);
    }

    /*
     * Returns the beginning of the source. The imports of a block move here, because they must stand before the given
     * members.
     */
    private String head() {
        return HEAD + body().stream().filter(line -> line.startsWith(IMPORT)).collect(joining(" "))
                + " interface Given {";
    }

    private List<String> body() {
        return page.lines().subList(block.open() + 1, block.close());
    }

    /** Returns the line of the comment that ends directly above the block, or the block's own line. */
    private int startOfGiven() {
        int line = block.open() - 1;
        if (line < 0 || !page.lines().get(line).endsWith(END_OF_GIVEN)) {
            return block.open();
        }
        while (line >= 0 && !page.lines().get(line).startsWith("<!--")) {
            line--;
        }
        return line >= 0 && page.lines().get(line).startsWith(GIVEN) ? line : block.open();
    }

    private String describe(Diagnostic<?> diagnostic) {
        return page.at((int) diagnostic.getLineNumber() - 1) + ": " + diagnostic.getMessage(Locale.ROOT);
    }

    @Override
    public String toString() {
        return page.at(block.open());
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///Snippet.java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}

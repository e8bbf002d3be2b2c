package io.tidegate.browser;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The browser on this machine: found, or installed where that needs no confirmation. */
final class Chromium implements AutoCloseable {
    static final String VARIABLE = "TIDEGATE_BROWSER";
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");

    /** Without a sandbox, because builds run as root; and without any feature that uses the network by itself. */
    private static final List<String> ARGUMENTS = List.of(
            "--no-sandbox",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-gpu",
            "--no-first-run",
            "--force-prefers-reduced-motion");

    private final Playwright playwright =
            Playwright.create(new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    private final Browser browser;

    private Chromium(Path program) {
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(program)
                        .setArgs(ARGUMENTS));
    }

    /** Gives tests one browser, which is closed after the last of them. */
    static final class Provider implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
            return parameter.getParameter().getType() == Browser.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
            return test.getRoot()
                    .getStore(ExtensionContext.Namespace.GLOBAL)
                    .computeIfAbsent(Chromium.class, any -> new Chromium(findOrInstall()), Chromium.class)
                    .browser;
        }
    }

    @Override
    public void close() {
        playwright.close();
    }

    private static Path findOrInstall() {
        UnaryOperator<@Nullable String> environment = System::getenv;
        return find(environment).orElseGet(() -> {
            install();
            return find(environment).orElseThrow(Chromium::missing);
        });
    }

    /** Finds the browser's program by the environment. */
    static Optional<Path> find(UnaryOperator<@Nullable String> environment) {
        String named = environment.apply(VARIABLE);
        if (named != null) {
            Path program = Path.of(named);
            if (!Files.isExecutable(program)) {
                throw new IllegalStateException(VARIABLE + ": " + named + " (expected: a program that can be run)");
            }
            return Optional.of(program);
        }
        String path = environment.apply("PATH");
        return NAMES.stream()
                .flatMap(name -> Arrays.stream((path == null ? "" : path).split(File.pathSeparator))
                        .filter(folder -> !folder.isEmpty())
                        .map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static IllegalStateException missing() {
        return new IllegalStateException("browser: none (expected: one of " + NAMES + " on the PATH, or its path in "
                + VARIABLE + "; on Debian as root: apt-get install chromium)");
    }

    private static void install() {
        if (!Files.isExecutable(Path.of("/usr/bin/apt-get")) || !"root".equals(System.getProperty("user.name"))) {
            throw missing();
        }
        run("apt-get", "update");
        run("apt-get", "install", "-y", "--no-install-recommends", "chromium");
    }

    private static void run(String... command) {
        try {
            int code = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (code != 0) {
                IllegalStateException failed = missing();
                failed.addSuppressed(new IOException(String.join(" ", command) + " ended with " + code));
                throw failed;
            }
        } catch (IOException e) {
            throw new IllegalStateException(missing().getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(missing().getMessage(), e);
        }
    }
}

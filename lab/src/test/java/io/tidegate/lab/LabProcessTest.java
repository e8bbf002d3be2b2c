package io.tidegate.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.orders.StoreFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The lab's page as a process without a display. */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LabProcessTest {
    private static final Pattern ADDRESS = Pattern.compile("\\s*(http://\\S+/)#token=([\\w-]+)&/panel");
    private static final Pattern ORDERS_DONE =
            Pattern.compile("\"Orders done\",\"value\":[1-9]|\"value\":[1-9]\\d*,\"label\":\"Orders done\"");

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private Process lab;
    private BufferedReader said;
    private String url;
    private String token;

    @AfterEach
    void end() throws InterruptedException {
        client.close();
        lab.destroyForcibly().waitFor();
    }

    /*
     * The test sends the signal of `kill`. The JVM does the same on Ctrl-C, but a process that a shell has put into the
     * background does not get that signal.
     */
    @Test
    void signal_ordersInAFileAtWork_takesTheLeasesOutOfIt() throws Exception {
        start("--store", "file:orders");
        assertThat(act("stage", "{\"name\":\"orders\"}")).isEqualTo(200);
        HttpRequest parts =
                HttpRequest.newBuilder(URI.create(url + "api/parts")).build();
        while (!ORDERS_DONE
                .matcher(client.send(parts, BodyHandlers.ofString()).body())
                .find()) {
            Thread.onSpinWait();
        }

        lab.destroy();
        lab.waitFor();
        StoreFile.assertNothingIsLeft(folder, "", "");
    }

    @Test
    void tour_atItsEnd_endsTheLab() throws Exception {
        start("--tour", "overload");
        List<String> printed = new ArrayList<>();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith("The ") || line.startsWith("Now ") || line.startsWith("That ")) {
                printed.add(line);
                goOn();
            }
        }

        assertThat(lab.waitFor()).isZero();
        assertThat(printed).hasSizeGreaterThan(1);
        assertThat(printed.get(printed.size() - 1)).startsWith("That was the tour.");
    }

    private void goOn() throws InterruptedException {
        try {
            act("next", "{}");
        } catch (IOException over) {
            // The tour has ended, and the lab with it.
        }
    }

    private void start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dtidegate.from=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                Lab.class.getName(),
                "--open"));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().keySet().removeIf(name -> name.endsWith("DISPLAY") || name.startsWith("TIDEGATE_"));
        lab = builder.start();
        said = lab.inputReader(UTF_8);
        Matcher address = ADDRESS.matcher("");
        while (!address.matches()) {
            String line = said.readLine();
            if (line == null) {
                throw new IOException("the lab has ended without an address");
            }
            address.reset(line);
        }
        url = address.group(1);
        token = address.group(2);
    }

    private int act(String action, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "api/panel/" + action))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        return client.send(request, BodyHandlers.ofString()).statusCode();
    }
}

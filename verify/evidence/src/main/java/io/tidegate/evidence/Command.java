package io.tidegate.evidence;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The program behind {@code ./tidegate evidence} and {@code ./tidegate audit}. */
public final class Command {
    private Command() {}

    /**
     * Runs a command, in the root folder, and exits with its result.
     *
     * @param args the command's word and its arguments
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        PrintStream out = utf8(FileDescriptor.out);
        PrintStream errors = utf8(FileDescriptor.err);
        Path root = Path.of("");
        List<String> words = List.of(args).subList(1, args.length);
        System.exit(
                switch (args[0]) {
                    case "evidence" ->
                        new EvidenceCommand(root, out, errors, Boolean.getBoolean("tidegate.terminal")).run(words);
                    case "audit" ->
                        new AuditCommand(root, Path.of(System.getProperty("tidegate.from", "")), out, errors)
                                .run(words);
                    default -> throw new IllegalArgumentException("word: " + args[0]);
                });
    }

    /* Names of tests and requests have characters that the default encoding of a bare shell does not. */
    private static PrintStream utf8(FileDescriptor stream) {
        return new PrintStream(new FileOutputStream(stream), true, StandardCharsets.UTF_8);
    }
}

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Run by the build on the newest JDK it found: leaves a mark if that is new enough, for the enforcer to look for. */
class RequireJdk {
    public static void main(String[] args) throws IOException {
        int needed = Integer.parseInt(args[0]);
        Path mark = Path.of(args[1]);
        Files.deleteIfExists(mark);
        if (Runtime.version().feature() >= needed) {
            Files.createDirectories(mark.getParent());
            Files.writeString(mark, Runtime.version() + "\n");
        }
    }
}

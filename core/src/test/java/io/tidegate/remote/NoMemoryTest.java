package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.stage.PendingNotifications;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NoMemoryTest {
    /** One for whom there is no memory the first time. */
    private static final class Unlucky implements IncomingRequest<String> {
        private BulkheadPermit kept;
        private int tries;
        private boolean told;

        @Override
        public CompletionStage<String> answered(AcquireResult result) {
            return new CompletableFuture<>();
        }

        @Override
        public void queued() {}

        @Override
        public void keep(BulkheadPermit permit) {
            tries++;
            if (tries == 1) {
                throw new OutOfMemoryError("for a test");
            }
            kept = permit;
        }

        @Override
        public BulkheadPermit kept() {
            return kept;
        }

        @Override
        public PendingNotifications granted() {
            told = true;
            return PendingNotifications.NONE;
        }

        @Override
        public PendingNotifications expired() {
            throw new AssertionError("expired");
        }

        @Override
        public void cancelled() {
            throw new AssertionError("cancelled");
        }

        @Override
        public void refused(BulkheadError error) {
            throw new AssertionError(error);
        }
    }

    @Test
    @DisplayName("RB-21 AB-12 an operation that leaves no memory to hear of its end costs no permit")
    void submit_heapFull_permitComesBack(@TempDir Path folder) throws Exception {
        Path out = folder.resolve("out");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx16m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath(),
                        FullHeap.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            assertThat(child.waitFor(10, TimeUnit.MINUTES)).isTrue();
        } finally {
            child.destroyForcibly();
        }
        assertThat(child.exitValue()).as(Files.readString(out)).isZero();
    }

    /** In a patched module a test's class says that it is where the module is; else in a jar or folder of its own. */
    private static String classPath() throws URISyntaxException {
        Path classes = placeOf(RemoteBulkhead.class);
        return String.join(
                File.pathSeparator,
                classes.toString(),
                classes.resolveSibling("test-classes").toString(),
                placeOf(FullHeap.class).toString());
    }

    private static Path placeOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    @Test
    @DisplayName("RB-21 a request that cannot be let in for want of memory keeps its place, and no permit is lost")
    void release_noMemoryForWhoIsNext_keepsItsPlace() {
        LockedBulkhead machine = (LockedBulkhead) RemoteBulkhead.builder(1)
                .policy(BackpressurePolicy.queue(5, 1_000))
                .build();
        BulkheadPermit first = machine.acquire(true, "a", 0).orElseThrow();
        Unlucky unlucky = new Unlucky();
        assertThat(machine.submit(true, "b", 0, unlucky)).isNotNull();

        assertThatThrownBy(() -> machine.release(first, 1)).isInstanceOf(OutOfMemoryError.class);

        assertThat(machine.queueDepth()).isEqualTo(1);
        assertThat(machine.inFlight()).isZero();
        machine.recordForegroundLatency(1, 2);
        assertThat(unlucky.told).isTrue();
        assertThat(machine.queueDepth()).isZero();
        assertThat(machine.inFlight()).isEqualTo(1);
        machine.release(unlucky.kept, 3);
        assertThat(machine.inFlight()).isZero();
    }
}

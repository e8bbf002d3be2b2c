package io.tidegate.processes;

import io.tidegate.lease.Completion;
import io.tidegate.lease.LeasedWork;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The attempts of one owner's runner, the ends that it reported, and the pauses of its process. */
record AttemptLog(String owner, List<Attempt> attempts, List<End> ends, List<Pause> pauses) {
    /** An attempt. If its end was not recorded, it ended with its process. */
    record Attempt(String domainId, long offset, long fence, String token, long begun, long ended) {}

    /** The end of an offset, as a caller learned it. */
    record End(String domainId, long offset, Completion how) {}

    /** A time in which the process stood still, for so long that others would have acted. */
    record Pause(long from, long to) {}

    /** Writes the log. Each line is with the operating system before the worker goes on. */
    static final class Writer implements Closeable {
        private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

        private static final int LOOK_MILLIS = 10;

        private final OutputStream file;
        private final Thread watch = new Thread(this::watch);

        Writer(Path path) throws IOException {
            this.file = new FileOutputStream(path.toFile());
            watch.setDaemon(true);
            watch.start();
        }

        void begin(LeasedWork work) {
            note("begin " + work.domainId() + " " + work.offset() + " " + work.fence() + " " + work.token());
        }

        void end(LeasedWork work) {
            note("end " + work.token());
        }

        Completion noteEnd(Load.Item item, Completion how) {
            note("learned " + item.domainId() + " " + item.offset() + " " + how);
            return how;
        }

        @SuppressWarnings("EmptyCatch") // the thread ends like this
        private void watch() {
            try {
                long seen = System.nanoTime();
                while (true) {
                    TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                    long now = System.nanoTime();
                    if (now - seen > PAUSE_NANOS) {
                        note("pause " + seen);
                    }
                    seen = now;
                }
            } catch (InterruptedException closed) {
                // the thread ends
            }
        }

        private synchronized void note(String what) {
            Worker.append(file, System.nanoTime() + " " + what);
        }

        @Override
        public void close() throws IOException {
            watch.interrupt();
            try {
                watch.join();
            } catch (InterruptedException interrupted) {
                throw new InterruptedIOException();
            }
            file.close();
        }
    }

    static AttemptLog read(String owner, List<String> lines) {
        AttemptLog log = new AttemptLog(owner, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        Map<String, Attempt> open = new HashMap<>();
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            long at = Long.parseLong(words[0]);
            switch (words[1]) {
                case "begin" -> {
                    Attempt begun = new Attempt(
                            words[2], Long.parseLong(words[3]), Long.parseLong(words[4]), words[5], at, Long.MAX_VALUE);
                    Attempt before = open.put(begun.token, begun);
                    if (before != null) {
                        log.attempts.add(before);
                    }
                }
                case "end" -> {
                    Attempt begun = open.remove(words[2]);
                    if (begun != null) {
                        log.attempts.add(
                                new Attempt(begun.domainId, begun.offset, begun.fence, begun.token, begun.begun, at));
                    }
                }
                case "learned" ->
                    log.ends.add(new End(words[2], Long.parseLong(words[3]), Completion.valueOf(words[4])));
                default -> log.pauses.add(new Pause(Long.parseLong(words[2]), at));
            }
        }
        log.attempts.addAll(open.values());
        return log;
    }
}

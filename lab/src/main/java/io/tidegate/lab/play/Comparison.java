package io.tidegate.lab.play;

import static io.tidegate.lab.print.Numbers.whole;

import com.sun.management.ThreadMXBean;
import io.tidegate.lab.Scene;
import io.tidegate.lab.load.Time;
import io.tidegate.lab.print.ProgressLine;
import io.tidegate.lab.print.Screen;
import io.tidegate.lab.print.Table;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** The same script of load three times: unprotected, behind resilience4j and behind Tidegate. */
public final class Comparison implements Scene {
    /** The file of its page, unless set otherwise. */
    public static final String USUAL_FILE = "tidegate-comparison.html";

    private static final int WARM_UP_SECONDS = 2;

    private final LoadScript script;
    private final int warmUpSeconds;
    private final Path file;

    Comparison(LoadScript script, int warmUpSeconds, Path file) {
        this.script = script;
        this.warmUpSeconds = warmUpSeconds;
        this.file = file;
    }

    /** The comparison that the lab shows. */
    public static Comparison usual() {
        return new Comparison(
                LoadScript.USUAL,
                WARM_UP_SECONDS,
                Path.of(System.getProperty("tidegate.from", "")).resolve(USUAL_FILE));
    }

    @Override
    public Optional<Scene> writing(Path file) {
        return Optional.of(new Comparison(script, warmUpSeconds, file));
    }

    @Override
    public String name() {
        return "compare";
    }

    @Override
    public String about() {
        return "an overload and a brown-out, unprotected, with resilience4j and with Tidegate, in one chart";
    }

    @Override
    public void play(Screen screen) throws IOException, InterruptedException {
        screen.out()
                .printf(
                        Locale.ROOT,
                        "The same load for %d s each, on a service that carries 40 calls a second: %s.%n"
                                + "First unprotected, then with resilience4j, then with Tidegate, all set up"
                                + " alike:%n%n",
                        script.seconds(),
                        phases());
        Map<Contender, CallHistory> histories = run(screen);
        screen.out().println();
        screen.show(table(histories));
        ComparisonPage page = new ComparisonPage(script, histories);
        if (!page.isCalm()) {
            screen.out().println(ComparisonPage.NOT_CALM);
        }
        Files.writeString(file, page.html());
        screen.out().println("Second by second, with all settings: " + file.toAbsolutePath());
    }

    private String phases() {
        List<String> names = script.phases().stream()
                .map(phase -> phase.seconds() + " s " + phase.name() + " at " + phase.offered() + "/s")
                .toList();
        return String.join(", ", names);
    }

    Map<Contender, CallHistory> run(Screen screen) throws IOException, InterruptedException {
        Map<Contender, CallHistory> histories = new LinkedHashMap<>();
        try (ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(
                2, Thread.ofPlatform().daemon().name("lab-compare-", 0).factory())) {
            for (Contender contender : Contender.all(scheduler)) {
                histories.put(contender, run(contender, screen));
            }
        }
        return histories;
    }

    private CallHistory run(Contender contender, Screen screen) throws IOException, InterruptedException {
        ServiceWork work = new ServiceWork();
        CallHistory warmUp = new CallHistory(1);
        CallHistory history = new CallHistory(script.seconds());
        AtomicInteger second = new AtomicInteger();
        try (Caller caller = new Caller(work);
                ProgressLine progress = new ProgressLine(screen)) {
            progress.start(() -> String.format(
                    Locale.ROOT,
                    "%-20s %d of %d s: in time %,d, refused %,d",
                    contender.name(),
                    second.get(),
                    script.seconds(),
                    history.total().goodput(),
                    history.total().refused()));
            List<CompletableFuture<?>> ends = new ArrayList<>();
            LoadScript.Phase first = script.phases().get(0);
            for (int i = 0; i < warmUpSeconds; i++) {
                send(first, 0, contender, caller, warmUp, ends);
            }
            for (int i = 0; i < script.seconds(); i++) {
                second.set(i);
                LoadScript.Phase phase = script.at(i);
                work.failures(phase.failures());
                work.latency(phase.latencyMillis());
                long before = allocatedBytes();
                send(phase, i, contender, caller, history, ends);
                history.allocated(i, allocatedBytes() - before);
            }
            CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new)).join();
        }
        return history;
    }

    /* Calls at a steady rate for a second, however slowly earlier ones are answered. */
    private static void send(
            LoadScript.Phase phase,
            int second,
            Contender contender,
            Caller caller,
            CallHistory history,
            List<CompletableFuture<?>> ends)
            throws InterruptedException {
        long start = System.nanoTime();
        long length = TimeUnit.SECONDS.toNanos(1);
        for (int i = 0; i < phase.offered(); i++) {
            long due = start + i * length / phase.offered();
            Time.SYSTEM.sleepUntil(due);
            ends.add(contender
                    .gate()
                    .submit(caller::call)
                    .toCompletableFuture()
                    .orTimeout(Lane.PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                    .handle((status, error) -> {
                        history.ended(second, System.nanoTime() - due, error, contender);
                        return status;
                    }));
        }
        Time.SYSTEM.sleepUntil(start + length);
    }

    private static long allocatedBytes() {
        return ManagementFactory.getPlatformMXBean(ThreadMXBean.class).getTotalThreadAllocatedBytes();
    }

    Table table(Map<Contender, CallHistory> histories) {
        Table table = new Table(histories.keySet().stream().map(Contender::name).toArray(String[]::new))
                .row("calls", cells(histories, total -> whole(script.calls())))
                .row("answered in time", cells(histories, total -> whole(total.goodput())))
                .row("refused", cells(histories, total -> whole(total.refused())))
                .row("given up by the caller or a time limit", cells(histories, total -> whole(total.late())))
                .row("failed otherwise", cells(histories, total -> whole(total.failed())))
                .row(
                        "wait for anything but a refusal, p99",
                        cells(histories, total -> whole(Math.round(total.p99Millis())) + " ms"))
                .row(
                        "allocated by the whole process",
                        cells(histories, total -> whole(total.allocated() / 1_000_000) + " MB"));
        int from = 0;
        for (LoadScript.Phase phase : script.phases()) {
            int start = from;
            int end = from + phase.seconds();
            table.row(
                    "answered in time, seconds " + start + " to " + end + ", " + phase.name(),
                    histories.values().stream()
                            .map(history -> whole(history.seconds().subList(start, end).stream()
                                    .mapToInt(CallHistory.Second::goodput)
                                    .sum()))
                            .toArray(String[]::new));
            from = end;
        }
        return table;
    }

    private static String[] cells(Map<Contender, CallHistory> histories, Function<CallHistory.Second, String> cell) {
        return histories.values().stream().map(CallHistory::total).map(cell).toArray(String[]::new);
    }
}

package io.tidegate.lab.load;

import io.tidegate.lab.print.ProgressLine;
import io.tidegate.lab.print.Screen;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Sends one load to one service, and stops both. An answer with a status from 500 on is an error.
 *
 * @param title the name of the run in the progress line
 * @param load the requests
 * @param work what the service does
 * @param gate the part between the callers and the service
 */
public record Trial(String title, Load load, Work work, Gate gate) {
    private static final int SERVER_ERROR = 500;

    /** Starts a request now, later or never. */
    public interface Gate {
        CompletionStage<HttpResponse<Void>> submit(Supplier<CompletionStage<HttpResponse<Void>>> request);

        /** Is called when a phase of the load begins, from 0. In the phase after the last one nothing more is sent. */
        default void begin(int phase) {}
    }

    /**
     * The results.
     *
     * @param phases what became of the calls, each in the phase in which it was due
     * @param peakInside how many requests were inside the service at the worst moment
     */
    public record Result(List<Outcomes> phases, int peakInside) {
        /** Returns what became of the calls of the first phase, often the only one. */
        public Outcomes outcomes() {
            return phases.get(0);
        }
    }

    public Result run(Screen screen) throws IOException, InterruptedException {
        Outcomes warmUp = outcomesOf(load.warmUp());
        List<Outcomes> phases = Stream.generate(() -> outcomesOf(load.arrivals()))
                .limit(load.phases())
                .toList();
        try (LabService service = LabService.start(work);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                HttpClient client = newClient(threads)) {
            HttpRequest request = HttpRequest.newBuilder(service.uri()).build();
            Supplier<CompletionStage<HttpResponse<Void>>> call = () -> gate.submit(
                    () -> client.sendAsync(request, BodyHandlers.discarding()).thenCompose(Trial::answerOrError));
            long start = System.nanoTime();
            try (ProgressLine progress = new ProgressLine(screen)) {
                progress.start(() -> state(start, service, phases));
                await(send(load.warmUp(), call, warmUp));
                work.begin();
                await(sendAll(call, phases));
            } finally {
                // A plain close would wait for answers that no caller waits for.
                client.shutdownNow();
            }
            return new Result(phases, service.peakInside());
        }
    }

    private Outcomes outcomesOf(Arrivals arrivals) {
        return new Outcomes(load.patience(), arrivals.seconds());
    }

    private static CompletionStage<HttpResponse<Void>> answerOrError(HttpResponse<Void> response) {
        return response.statusCode() < SERVER_ERROR
                ? CompletableFuture.completedStage(response)
                : CompletableFuture.failedStage(new IOException("status " + response.statusCode()));
    }

    private static HttpClient newClient(ExecutorService threads) {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(HttpClient.Builder.NO_PROXY)
                .executor(threads)
                .build();
    }

    private List<CompletableFuture<?>> sendAll(
            Supplier<CompletionStage<HttpResponse<Void>>> call, List<Outcomes> phases) throws InterruptedException {
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (int phase = 0; phase < load.phases(); phase++) {
            gate.begin(phase);
            ends.addAll(send(load.arrivals(), call, phases.get(phase)));
        }
        gate.begin(load.phases());
        return ends;
    }

    private List<CompletableFuture<?>> send(
            Arrivals arrivals, Supplier<CompletionStage<HttpResponse<Void>>> call, Outcomes outcomes)
            throws InterruptedException {
        List<CompletableFuture<?>> ends = new ArrayList<>(arrivals.count());
        arrivals.run(
                Time.SYSTEM,
                (due, second) -> ends.add(withPatience(call.get(), due)
                        .handle((response, error) -> outcomes.record(second, System.nanoTime() - due, error))));
        return ends;
    }

    private static void await(List<CompletableFuture<?>> ends) {
        CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new)).join();
    }

    /* The caller gives up; the request goes on. */
    private CompletableFuture<HttpResponse<Void>> withPatience(CompletionStage<HttpResponse<Void>> answer, long due) {
        long left = load.patience().toNanos() - (System.nanoTime() - due);
        return answer.toCompletableFuture().orTimeout(left, TimeUnit.NANOSECONDS);
    }

    private String state(long start, LabService service, List<Outcomes> phases) {
        Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
        Duration warmUp = load.warmUp().length();
        String counts = elapsed.compareTo(warmUp) < 0
                ? "warming up"
                : String.format(
                        Locale.ROOT,
                        "inside %,d, in time %,d, late %,d, failed %,d, refused %,d",
                        service.inside(),
                        count(phases, Outcomes.Kind.IN_TIME),
                        count(phases, Outcomes.Kind.LATE),
                        count(phases, Outcomes.Kind.FAILED),
                        count(phases, Outcomes.Kind.REFUSED));
        return String.format(
                Locale.ROOT,
                "%-12s %d of ~%d s: %s",
                title,
                elapsed.toSeconds(),
                load.length().toSeconds(),
                counts);
    }

    private static long count(List<Outcomes> phases, Outcomes.Kind kind) {
        return phases.stream().mapToLong(outcomes -> outcomes.count(kind)).sum();
    }
}

package io.tidegate.lab;

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

/**
 * Sends one load to one service, and stops both. An answer with a status from 500 on is an error.
 *
 * @param title what the progress line calls it
 * @param load what is sent
 * @param work what the service does
 * @param gate what stands between the callers and the service
 */
record Trial(String title, Load load, Work work, Gate gate) {
    private static final int SERVER_ERROR = 500;

    /** Starts a request now, later or never. */
    interface Gate {
        CompletionStage<HttpResponse<Void>> submit(Supplier<CompletionStage<HttpResponse<Void>>> request);
    }

    /**
     * What came out.
     *
     * @param outcomes what became of the calls
     * @param peakInside how many requests were inside the service at the worst moment
     */
    record Result(Outcomes outcomes, int peakInside) {}

    Result run(Screen screen) throws IOException, InterruptedException {
        Outcomes warmUp = outcomesOf(load.warmUp());
        Outcomes outcomes = outcomesOf(load.arrivals());
        try (LabService service = LabService.start(work);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                HttpClient client = newClient(threads)) {
            HttpRequest request = HttpRequest.newBuilder(service.uri()).build();
            Supplier<CompletionStage<HttpResponse<Void>>> call = () -> gate.submit(
                    () -> client.sendAsync(request, BodyHandlers.discarding()).thenCompose(Trial::answerOrError));
            long start = System.nanoTime();
            try (ProgressLine progress = new ProgressLine(screen)) {
                progress.start(() -> state(start, service, outcomes));
                send(load.warmUp(), call, warmUp);
                work.begin();
                send(load.arrivals(), call, outcomes);
            } finally {
                // Closing alone would wait for answers that no caller waits for.
                client.shutdownNow();
            }
            return new Result(outcomes, service.peakInside());
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

    private void send(Arrivals arrivals, Supplier<CompletionStage<HttpResponse<Void>>> call, Outcomes outcomes)
            throws InterruptedException {
        List<CompletableFuture<?>> ends = new ArrayList<>(arrivals.count());
        arrivals.run(
                Time.SYSTEM,
                (due, second) -> ends.add(withPatience(call.get(), due)
                        .handle((response, error) -> outcomes.record(second, System.nanoTime() - due, error))));
        CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new)).join();
    }

    /* The caller gives up; the request goes on. */
    private CompletableFuture<HttpResponse<Void>> withPatience(CompletionStage<HttpResponse<Void>> answer, long due) {
        long left = load.patience().toNanos() - (System.nanoTime() - due);
        return answer.toCompletableFuture().orTimeout(left, TimeUnit.NANOSECONDS);
    }

    private String state(long start, LabService service, Outcomes outcomes) {
        Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
        Duration warmUp = load.warmUp().length();
        Duration total = warmUp.plus(load.arrivals().length()).plus(load.patience());
        String counts = elapsed.compareTo(warmUp) < 0
                ? "warming up"
                : String.format(
                        Locale.ROOT,
                        "inside %,d, in time %,d, late %,d, failed %,d, refused %,d",
                        service.inside(),
                        outcomes.count(Outcomes.Kind.IN_TIME),
                        outcomes.count(Outcomes.Kind.LATE),
                        outcomes.count(Outcomes.Kind.FAILED),
                        outcomes.count(Outcomes.Kind.REFUSED));
        return String.format(
                Locale.ROOT, "%-12s %d of ~%d s: %s", title, elapsed.toSeconds(), total.toSeconds(), counts);
    }
}

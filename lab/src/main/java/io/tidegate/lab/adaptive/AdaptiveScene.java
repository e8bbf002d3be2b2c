package io.tidegate.lab.adaptive;

import com.netflix.concurrency.limits.limit.Gradient2Limit;
import io.tidegate.adaptive.AdaptiveLimit;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.lab.Scene;
import io.tidegate.lab.print.Screen;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One service whose capacity halves and doubles, behind a fixed limit and behind adaptive limits. In virtual time. */
public final class AdaptiveScene implements Scene {
    private final ChangingCapacity setting;

    public AdaptiveScene(ChangingCapacity setting) {
        this.setting = setting;
    }

    /** Makes a limit for a service. */
    private record Contestant(String name, Function<VirtualService, VirtualService.Gate> limit) {}

    @Override
    public String name() {
        return "adaptive";
    }

    @Override
    public String about() {
        return "a service whose capacity halves and doubles, behind fixed and adaptive limits";
    }

    @Override
    public void play(Screen screen) {
        AdaptiveReport report = new AdaptiveReport(setting);
        screen.out().println(report.opening());
        for (boolean patient : new boolean[] {false, true}) {
            List<AdaptiveReport.Run> runs = new ArrayList<>();
            for (Contestant contestant : contestants()) {
                VirtualService service = new VirtualService(setting, patient);
                service.play(contestant.limit.apply(service));
                runs.add(new AdaptiveReport.Run(contestant.name, service));
            }
            screen.out().println(report.callers(patient));
            screen.out().println(report.chart(runs));
            screen.show(report.table(runs));
            screen.out().println(report.legend());
        }
    }

    private List<Contestant> contestants() {
        int fixed = 2 * setting.servers().get(0);
        return List.of(
                new Contestant(
                        "fixed " + fixed,
                        service -> AsyncBulkhead.builder(fixed)
                                .permitLifetime(PermitLifetime.OPERATION)
                                .build()::submit),
                new Contestant("concurrency-limits", service -> new Gradient2(service)),
                new Contestant("gradient()", service -> adaptive(AdaptiveLimit.gradient(), service)),
                new Contestant("aimd()", service -> adaptive(AdaptiveLimit.aimd(), service)));
    }

    private static VirtualService.Gate adaptive(AdaptiveLimit.Builder limit, VirtualService service) {
        return limit.ticker(service::now)
                .permitLifetime(PermitLifetime.OPERATION)
                .build()::submit;
    }

    /**
     * Netflix's limit, with our bounds and otherwise its defaults. Its limiters read the system's clock, so this class
     * does what they do with the limit.
     */
    private static final class Gradient2 implements VirtualService.Gate {
        private final Gradient2Limit limit = Gradient2Limit.newBuilder()
                .initialLimit(AdaptiveLimit.DEFAULT_INITIAL)
                .minLimit(AdaptiveLimit.DEFAULT_MIN)
                .maxConcurrency(AdaptiveLimit.DEFAULT_MAX)
                .build();
        private final VirtualService service;
        private @Nullable CompletionStage<String> refused;
        private int inFlight;

        Gradient2(VirtualService service) {
            this.service = service;
        }

        @Override
        public CompletionStage<String> submit(Supplier<CompletionStage<String>> call) {
            if (inFlight >= limit.getLimit()) {
                return refusal();
            }
            int with = ++inFlight;
            long began = service.now();
            CompletableFuture<String> returned = new CompletableFuture<>();
            call.get().whenComplete((value, error) -> {
                inFlight--;
                boolean dropped = returned.isCompletedExceptionally();
                limit.onSample(began, Math.max(1, service.now() - began), with, dropped);
                returned.complete(value);
            });
            return returned;
        }

        /* Returns any refusal of Tidegate, because refusals are only counted. */
        private CompletionStage<String> refusal() {
            if (refused == null) {
                AsyncBulkhead full = AsyncBulkhead.of(1);
                full.submit(CompletableFuture::new);
                refused = full.submit(CompletableFuture::new);
            }
            return refused;
        }
    }
}

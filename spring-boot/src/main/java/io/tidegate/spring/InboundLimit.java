package io.tidegate.spring;

import io.tidegate.Overload;
import io.tidegate.Registry;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadRejectedException;
import io.tidegate.spring.TidegateProperties.Inbound;
import java.io.Serial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/** The limit on requests in progress, shared by the servlet and the reactive stack. */
final class InboundLimit {
    /** The name of the bulkhead. */
    static final String NAME = "inbound";

    /** After observation, so that refusals are observed, and before everything expensive. */
    static final int ORDER = Integer.MIN_VALUE + 100;

    static final BusyAnswer FULL =
            new BusyAnswer(BulkheadRejectedException.CODE, "The service has as many requests as it can answer.", 1);

    private static final int GATEWAY_TIMEOUT = 504;

    private final AsyncBulkhead bulkhead;
    private final List<PathPattern> paths;
    private final Predicate<String> exempt;

    /** @param exempt paths that are never refused */
    InboundLimit(Guards guards, Inbound settings, Predicate<String> exempt, Registry registry) {
        this.bulkhead = registry.add(guards.inbound(settings.limit()));
        this.paths = patterns(settings.paths());
        this.exempt = exempt;
    }

    private static List<PathPattern> patterns(List<String> paths) {
        if (paths.isEmpty()) {
            throw new BadPropertyException(
                    "tidegate.inbound.paths", "none", "at least one pattern of paths, such as /api/**");
        }
        List<PathPattern> patterns = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            try {
                patterns.add(PathPatternParser.defaultInstance.parse(paths.get(i)));
            } catch (PatternParseException bad) {
                throw new BadPropertyException(
                        "tidegate.inbound.paths[" + i + "]", paths.get(i), "a pattern of paths, such as /api/**");
            }
        }
        return patterns;
    }

    boolean applies(PathContainer path) {
        return paths.stream().anyMatch(pattern -> pattern.matches(path)) && !exempt.test(path.value());
    }

    /** Returns a permit, which must be given back once; null if there is none. */
    @Nullable
    Permit enter() {
        Permit permit = new Permit();
        CompletableFuture<?> admitted = bulkhead.submit(() -> permit.end).toCompletableFuture();
        // the stage of an admitted request is not done before the permit is back
        return admitted.isDone() ? null : permit;
    }

    /** The permit of a request in progress. */
    static final class Permit {
        private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();

        /** The request is over; only the first end counts. */
        void leave(int status, @Nullable Throwable error) {
            if (error != null) {
                end.completeExceptionally(error);
            } else if (status == BusyAnswer.STATUS || status == GATEWAY_TIMEOUT) {
                end.completeExceptionally(new Busy());
            } else {
                end.complete(null);
            }
        }
    }

    /** An answer that counts as overload for an adaptive limit. */
    private static final class Busy extends RuntimeException implements Overload {
        @Serial
        private static final long serialVersionUID = 1L;

        Busy() {
            super(null, null, false, false);
        }

        @Override
        public Duration retryAfter() {
            return Duration.ZERO;
        }
    }
}

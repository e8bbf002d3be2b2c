package io.tidegate.spring;

import io.tidegate.Refusal;
import io.tidegate.guard.Guard;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;
import reactor.core.publisher.Mono;

/**
 * Answers 503 instead of 500 when the handling of a request ends with a refusal, unless the application answers the
 * request itself, as by an {@code @ExceptionHandler}.
 */
@AutoConfiguration(after = TidegateAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnBean(Guard.class)
class RefusalAutoConfiguration {
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HandlerExceptionResolver.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class Servlet {
        @Bean
        HandlerExceptionResolver tidegateRefusalResolver() {
            return new Resolver();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class Reactive {
        @Bean
        WebExceptionHandler tidegateRefusalHandler() {
            return new Handler();
        }
    }

    /** Comes after the resolvers of the application and of Spring itself. */
    private static final class Resolver implements HandlerExceptionResolver, Ordered {
        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }

        @Override
        public @Nullable ModelAndView resolveException(
                HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception error) {
            Refusal refusal = Refusal.in(error).orElse(null);
            if (refusal == null || response.isCommitted()) {
                return null;
            }
            try {
                ServletAnswer.send(BusyAnswer.of(refusal), response);
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
            return new ModelAndView(); // the request is answered
        }
    }

    /**
     * Comes before Boot's handler, which answers all remaining errors. Errors with a status of their own are left to
     * Boot.
     */
    private static final class Handler implements WebExceptionHandler, Ordered {
        @Override
        public int getOrder() {
            return -2;
        }

        @Override
        public Mono<Void> handle(ServerWebExchange exchange, Throwable error) {
            ServerHttpResponse response = exchange.getResponse();
            Refusal refusal = Refusal.in(error).orElse(null);
            boolean hasStatus = error instanceof ErrorResponse
                    || AnnotatedElementUtils.hasAnnotation(error.getClass(), ResponseStatus.class);
            return refusal == null || hasStatus || response.isCommitted()
                    ? Mono.error(error)
                    : ReactiveAnswer.send(BusyAnswer.of(refusal), response);
        }
    }
}

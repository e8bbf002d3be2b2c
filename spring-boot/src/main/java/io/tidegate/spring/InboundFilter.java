package io.tidegate.spring;

import io.tidegate.spring.InboundLimit.Permit;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.server.PathContainer;

/**
 * The limit on the servlet stack. It applies to a request, and not to later dispatches for the same request, as for an
 * error or the end of something asynchronous: so each request counts once.
 */
final class InboundFilter implements Filter, Ordered {
    private static final PathContainer.Options DECODED = PathContainer.Options.create('/', false);

    private final InboundLimit limit;

    InboundFilter(InboundLimit limit) {
        this.limit = limit;
    }

    @Override
    public int getOrder() {
        return InboundLimit.ORDER;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!limit.applies(path((HttpServletRequest) request))) {
            chain.doFilter(request, response);
            return;
        }
        Permit permit = limit.enter();
        if (permit == null) {
            ServletAnswer.send(InboundLimit.FULL, (HttpServletResponse) response);
        } else {
            answer(permit, request, (HttpServletResponse) response, chain);
        }
    }

    /* Returns the path as the container has mapped it, so that no spelling of a path avoids the limit. */
    private static PathContainer path(HttpServletRequest request) {
        String rest = request.getPathInfo();
        return PathContainer.parsePath(request.getServletPath() + (rest == null ? "" : rest), DECODED);
    }

    private static void answer(Permit permit, ServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Throwable error = null;
        try {
            chain.doFilter(request, response);
        } catch (Throwable thrown) {
            error = thrown;
            throw thrown;
        } finally {
            if (error == null && request.isAsyncStarted()) {
                leaveAtEnd(permit, request, response);
            } else {
                permit.leave(status(response), error);
            }
        }
    }

    private static void leaveAtEnd(Permit permit, ServletRequest request, HttpServletResponse response) {
        try {
            request.getAsyncContext().addListener(new End(permit, response));
        } catch (IllegalStateException over) { // the request has ended meanwhile
            permit.leave(status(response), null);
        }
    }

    /* A container may have reused the response by now; the permit goes back anyway. */
    private static int status(HttpServletResponse response) {
        try {
            return response.getStatus();
        } catch (IllegalStateException gone) {
            return 0;
        }
    }

    private static final class End implements AsyncListener {
        private final Permit permit;
        private final HttpServletResponse response;
        private volatile @Nullable Throwable error;

        End(Permit permit, HttpServletResponse response) {
            this.permit = permit;
            this.response = response;
        }

        @Override
        public void onComplete(AsyncEvent event) {
            permit.leave(status(response), error);
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            error = new java.util.concurrent.TimeoutException();
        }

        @Override
        public void onError(AsyncEvent event) {
            error = event.getThrowable();
        }

        /* A restart after a dispatch drops the listeners. */
        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}

package io.tidegate.spring;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Refuses a request on the servlet stack. */
final class ServletAnswer {
    private ServletAnswer() {}

    static void send(BusyAnswer answer, HttpServletResponse response) throws IOException {
        response.setStatus(BusyAnswer.STATUS);
        response.setHeader("Retry-After", answer.retryAfter());
        response.setContentType(BusyAnswer.CONTENT_TYPE);
        response.getOutputStream().write(answer.body());
    }
}

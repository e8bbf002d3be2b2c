package io.tidegate.spring;

import org.springframework.boot.WebApplicationType;

class TomcatVirtualThreadsTest extends WebTest {
    TomcatVirtualThreadsTest() {
        super(WebApplicationType.SERVLET, "spring.threads.virtual.enabled=true");
    }
}

package io.tidegate.spring;

import org.springframework.boot.WebApplicationType;

/** The reactive stack on a servlet container, which may reuse a response before the application learns of its end. */
class ReactiveOnTomcatTest extends InboundTest {
    ReactiveOnTomcatTest() {
        super(WebApplicationType.REACTIVE, "test.on-tomcat=true");
    }
}

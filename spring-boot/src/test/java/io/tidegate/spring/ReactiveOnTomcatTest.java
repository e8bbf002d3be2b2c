package io.tidegate.spring;

import org.springframework.boot.WebApplicationType;

/** The reactive stack on a servlet container, which takes a response back before the end has been told. */
class ReactiveOnTomcatTest extends InboundTest {
    ReactiveOnTomcatTest() {
        super(WebApplicationType.REACTIVE, "test.on-tomcat=true");
    }
}

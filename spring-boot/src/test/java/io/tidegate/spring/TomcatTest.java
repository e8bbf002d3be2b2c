package io.tidegate.spring;

import org.springframework.boot.WebApplicationType;

class TomcatTest extends WebTest {
    TomcatTest() {
        super(WebApplicationType.SERVLET, "");
    }
}

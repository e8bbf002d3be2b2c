package io.tidegate.spring;

import org.springframework.boot.WebApplicationType;

class NettyTest extends WebTest {
    NettyTest() {
        super(WebApplicationType.REACTIVE, "");
    }
}

package org.springframework.cloud.context.environment;

import org.springframework.context.ApplicationEvent;

/** Stands in for that of Spring Cloud, which the starter knows by its name only. */
public final class EnvironmentChangeEvent extends ApplicationEvent {
    private static final long serialVersionUID = 1L;

    public EnvironmentChangeEvent(Object source) {
        super(source);
    }
}

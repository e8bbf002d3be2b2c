package org.springframework.cloud.context.environment;

import org.springframework.context.ApplicationEvent;

/** Stands in for Spring Cloud's event of this name, which the starter knows by name only. */
public final class EnvironmentChangeEvent extends ApplicationEvent {
    private static final long serialVersionUID = 1L;

    public EnvironmentChangeEvent(Object source) {
        super(source);
    }
}

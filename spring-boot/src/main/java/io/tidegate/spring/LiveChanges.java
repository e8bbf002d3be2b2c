package io.tidegate.spring;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.core.ResolvableType;

/** Takes new settings when Spring Cloud, which is known by name only, reports a changed environment. */
final class LiveChanges implements GenericApplicationListener {
    private static final String EVENT = "org.springframework.cloud.context.environment.EnvironmentChangeEvent";

    private final Guards guards;

    LiveChanges(Guards guards) {
        this.guards = guards;
    }

    @Override
    public boolean supportsEventType(ResolvableType type) {
        return type.resolve(Object.class).getName().equals(EVENT);
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        guards.refresh();
    }
}

package io.tidegate.spring;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.endpoint.web.WebServerNamespace;

/** The paths of the actuator's endpoints, wherever they are configured. */
final class EndpointPaths implements Predicate<String> {
    private static final EndpointId HEALTH = EndpointId.of("health");

    private final ObjectProvider<PathMappedEndpoints> endpoints;
    private final String servlet;
    private volatile @Nullable Set<String> known;

    /** @param servlet the path of Spring's servlet, if it has one */
    EndpointPaths(ObjectProvider<PathMappedEndpoints> endpoints, String servlet) {
        this.endpoints = endpoints;
        this.servlet = servlet.equals("/") ? "" : servlet;
    }

    @Override
    public boolean test(String path) {
        Set<String> paths = known();
        for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
            if (paths.contains(path.substring(0, end))) {
                return true;
            }
        }
        return false;
    }

    /* Called with the first request, because the endpoints need the web server's own beans. */
    private Set<String> known() {
        Set<String> found = known;
        if (found == null) {
            found = new HashSet<>();
            PathMappedEndpoints all = endpoints.getIfAvailable();
            if (all != null) {
                add(found, all.getBasePath());
                for (String path : all.getAllPaths()) {
                    add(found, path);
                }
                if (all.getEndpoint(HEALTH) != null) {
                    for (String path : all.getAdditionalPaths(WebServerNamespace.SERVER, HEALTH)) {
                        add(found, path);
                    }
                }
            }
            known = found;
        }
        return found;
    }

    private void add(Set<String> to, String path) {
        if (!path.isEmpty() && !path.equals("/")) {
            to.add(servlet + path);
        }
    }
}

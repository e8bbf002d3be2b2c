package io.tidegate.breaker;

import java.time.Duration;
import java.util.function.UnaryOperator;

/** Collects the changes of an update; each is checked when it is given. */
final class SettingsChange implements SettingsUpdate {
    private UnaryOperator<LiveSettings> change = UnaryOperator.identity();

    LiveSettings applyTo(LiveSettings settings) {
        return change.apply(settings);
    }

    private SettingsChange then(UnaryOperator<LiveSettings> next) {
        UnaryOperator<LiveSettings> before = change;
        change = settings -> next.apply(before.apply(settings));
        return this;
    }

    @Override
    public SettingsUpdate timeout(Duration openFor) {
        long nanos = LiveSettings.checkPositive("timeout", openFor);
        return then(settings -> settings.withTimeout(nanos));
    }

    @Override
    public SettingsUpdate interval(Duration interval) {
        long nanos = LiveSettings.checkNotNegative("interval", interval);
        return then(settings -> settings.withInterval(nanos));
    }

    @Override
    public SettingsUpdate maxRequests(int probes) {
        int checked = LiveSettings.checkMaxRequests(probes);
        return then(settings -> settings.withMaxRequests(checked));
    }

    @Override
    public SettingsUpdate successesToClose(int successes) {
        int checked = LiveSettings.checkAtLeastOne("successesToClose", successes);
        return then(settings -> settings.withSuccessesToClose(checked));
    }

    @Override
    public SettingsUpdate probeTimeout(Duration limit) {
        long nanos = LiveSettings.checkPositive("probeTimeout", limit);
        return then(settings -> settings.withProbeTimeout(nanos));
    }

    @Override
    public SettingsUpdate failureRate(double threshold, int minimumObservations) {
        double rate = LiveSettings.checkRate("threshold", threshold);
        int minimum = LiveSettings.checkAtLeastOne("minimumObservations", minimumObservations);
        return then(settings -> settings.withRate(rate, minimum));
    }
}

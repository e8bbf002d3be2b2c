package io.tidegate.breaker;

import java.time.Duration;
import java.util.function.UnaryOperator;

/** Collects a change of settings, each part checked as it is given. */
final class SettingsChange implements SettingsUpdate {
    private UnaryOperator<Settings> change = UnaryOperator.identity();

    Settings applyTo(Settings settings) {
        return change.apply(settings);
    }

    private SettingsChange then(UnaryOperator<Settings> next) {
        UnaryOperator<Settings> before = change;
        change = settings -> next.apply(before.apply(settings));
        return this;
    }

    @Override
    public SettingsUpdate timeout(Duration openFor) {
        long nanos = Settings.checkPositive("timeout", openFor);
        return then(settings -> settings.withTimeout(nanos));
    }

    @Override
    public SettingsUpdate interval(Duration interval) {
        long nanos = Settings.checkNotNegative("interval", interval);
        return then(settings -> settings.withInterval(nanos));
    }

    @Override
    public SettingsUpdate maxRequests(int probes) {
        int checked = Settings.checkMaxRequests(probes);
        return then(settings -> settings.withMaxRequests(checked));
    }

    @Override
    public SettingsUpdate successesToClose(int successes) {
        int checked = Settings.checkAtLeastOne("successesToClose", successes);
        return then(settings -> settings.withSuccessesToClose(checked));
    }

    @Override
    public SettingsUpdate probeTimeout(Duration limit) {
        long nanos = Settings.checkPositive("probeTimeout", limit);
        return then(settings -> settings.withProbeTimeout(nanos));
    }

    @Override
    public SettingsUpdate failureRate(double threshold, int minimumObservations) {
        double rate = Settings.checkRate("threshold", threshold);
        int minimum = Settings.checkAtLeastOne("minimumObservations", minimumObservations);
        return then(settings -> settings.withRate(rate, minimum));
    }
}

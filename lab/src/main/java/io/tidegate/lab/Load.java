package io.tidegate.lab;

import java.time.Duration;

/**
 * What is sent to a service.
 *
 * @param warmUp what is sent first, unmeasured
 * @param arrivals what is sent then
 * @param patience how long a caller waits for an answer
 */
record Load(Arrivals warmUp, Arrivals arrivals, Duration patience) {}

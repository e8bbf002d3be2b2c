package io.tidegate.rate;

public interface RateLimiter {}

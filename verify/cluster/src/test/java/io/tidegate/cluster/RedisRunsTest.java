package io.tidegate.cluster;

class RedisRunsTest extends EngineRuns {
    RedisRunsTest() {
        super(Engine.REDIS);
    }
}

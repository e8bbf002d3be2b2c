package io.tidegate.processes;

class RedisRunsTest extends EngineRuns {
    RedisRunsTest() {
        super(Engine.REDIS);
    }
}

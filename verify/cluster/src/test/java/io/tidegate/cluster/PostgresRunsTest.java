package io.tidegate.cluster;

class PostgresRunsTest extends EngineRuns {
    PostgresRunsTest() {
        super(Engine.POSTGRES);
    }
}

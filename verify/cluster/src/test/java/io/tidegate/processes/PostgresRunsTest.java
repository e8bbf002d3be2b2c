package io.tidegate.processes;

class PostgresRunsTest extends EngineRuns {
    PostgresRunsTest() {
        super(Engine.POSTGRES);
    }
}

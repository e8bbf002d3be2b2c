package io.tidegate.processes;

class PostgresCapRunsTest extends CapRuns {
    PostgresCapRunsTest() {
        super(Engine.POSTGRES);
    }
}

package io.tidegate.cluster;

class PostgresCapRunsTest extends CapRuns {
    PostgresCapRunsTest() {
        super(Engine.POSTGRES);
    }
}

package io.tidegate.processes;

class MariaDbRunsTest extends EngineRuns {
    MariaDbRunsTest() {
        super(Engine.MARIADB);
    }
}

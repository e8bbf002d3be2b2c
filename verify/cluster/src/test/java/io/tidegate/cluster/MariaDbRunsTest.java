package io.tidegate.cluster;

class MariaDbRunsTest extends EngineRuns {
    MariaDbRunsTest() {
        super(Engine.MARIADB);
    }
}

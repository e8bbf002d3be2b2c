package io.tidegate.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RevisionTest {
    @Test
    void now_outsideOfARepository_unknown(@TempDir Path folder) throws Exception {
        assertThat(Revision.now(folder)).isEqualTo(new Revision(Revision.UNKNOWN, false));
    }

    @Test
    void until_commitOrFilesChangedMeanwhile_uncommitted() {
        Revision clean = new Revision("a", false);

        assertThat(clean.until(clean)).isEqualTo(clean);
        assertThat(clean.until(new Revision("b", false))).isEqualTo(new Revision("a", true));
        assertThat(clean.until(new Revision("a", true))).isEqualTo(new Revision("a", true));
    }
}

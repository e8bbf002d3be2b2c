package io.tidegate.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.AcquireResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BookedEvidenceTest {
    private static final Load.Item ITEM = new Load.Item("A", 1, 0, Load.Course.QUICK);
    private static final Books.Entry ENTRY = Books.Entry.parse("A 1 7");

    private static Optional<String> breach(List<Books.Entry> reported, List<Books.Entry> booked, AcquireResult end) {
        return new BookedEvidence(reported, booked).breach(Map.of(ITEM, end));
    }

    @Test
    void breach_bookedAndProcessed_isFine() {
        AcquireResult processed = new AcquireResult.AlreadyProcessed();
        assertThat(breach(List.of(ENTRY), List.of(ENTRY), processed)).isEmpty();
        assertThat(breach(List.of(), List.of(ENTRY), processed)).isEmpty();
        assertThat(breach(List.of(), List.of(), processed)).isEmpty();
    }

    @Test
    void breach_oneWithoutTheOther_isSaid() {
        assertThat(breach(List.of(), List.of(ENTRY), new AcquireResult.AlreadyFailed()))
                .get()
                .asString()
                .contains("not processed");
        assertThat(breach(List.of(ENTRY), List.of(), new AcquireResult.AlreadyProcessed()))
                .get()
                .asString()
                .contains("not booked");
    }

    @Test
    void breach_twice_isSaid() {
        List<Books.Entry> twice = List.of(ENTRY, Books.Entry.parse("A 1 8"));
        assertThat(breach(List.of(), twice, new AcquireResult.AlreadyProcessed()))
                .get()
                .asString()
                .contains("twice");
    }
}

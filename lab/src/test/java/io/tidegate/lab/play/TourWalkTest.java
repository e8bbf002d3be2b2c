package io.tidegate.lab.play;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lab.load.ManualTime;
import io.tidegate.lab.load.Time;
import io.tidegate.lab.play.Tour.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TourWalkTest {
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final String SAYS =
            "Something else is to be seen now, and it takes longer to read it than to look at it.";
    private static final Duration READING = TourWalk.READING.multipliedBy(SAYS.length());

    private final Time time = new ManualTime();
    private final List<String> did = new ArrayList<>();
    private boolean first;
    private boolean second;
    private final TourWalk walk = new TourWalk(
            new Tour(
                    "two",
                    "Two",
                    "shop",
                    List.of(
                            new Step(SAYS.replace("else", "new_"), () -> did.add("first"), () -> first),
                            new Step(SAYS, () -> did.add("second"), () -> second))),
            time);

    @Test
    void look_theFirstTime_doesTheFirstStep() {
        walk.look();

        assertThat(did).containsExactly("first");
        assertThat(walk.state())
                .containsEntry("step", 1)
                .containsEntry("steps", 2)
                .containsEntry("says", SAYS.replace("else", "new_"))
                .containsEntry("seen", false)
                .containsEntry("over", false);
    }

    @Test
    void look_seenButNotReadYet_stays() throws InterruptedException {
        walk.look();
        first = true;
        walk.look();
        pass(READING.minus(MOMENT));

        assertThat(did).containsExactly("first");
        assertThat(walk.state()).containsEntry("seen", true);
    }

    @Test
    void look_seenAndRead_goesOn() throws InterruptedException {
        walk.look();
        first = true;
        walk.look();
        pass(READING);

        assertThat(did).containsExactly("first", "second");
        assertThat(walk.says()).isEqualTo(SAYS);
    }

    @Test
    void look_readBeforeItIsSeen_staysUntilItIsLookedAt() throws InterruptedException {
        walk.look();
        pass(READING);
        first = true;
        walk.look();
        pass(TourWalk.LOOKING.minus(MOMENT));
        assertThat(did).containsExactly("first");

        pass(MOMENT);
        assertThat(did).containsExactly("first", "second");
    }

    @Test
    void next_inAStep_goesOnAtOnceAndEndsInTheEnd() {
        walk.next();
        assertThat(did).isEmpty();
        walk.look();
        walk.next();
        assertThat(did).containsExactly("first", "second");

        walk.next();
        assertThat(walk.isOver()).isTrue();
        assertThat(walk.says()).startsWith("That was the tour.").doesNotContain("Not everything");
        walk.next();
        assertThat(did).containsExactly("first", "second");
    }

    @Test
    void look_seenOnceThoughNotAnyMore_goesOn() throws InterruptedException {
        walk.look();
        first = true;
        walk.look();
        first = false;
        pass(READING);

        assertThat(did).containsExactly("first", "second");
    }

    @Test
    void look_notSeen_waitsUpToTheLimitAndSaysSoAtTheEnd() throws InterruptedException {
        walk.look();
        pass(TourWalk.LIMIT.minus(MOMENT));
        assertThat(did).containsExactly("first");

        pass(MOMENT);
        assertThat(did).containsExactly("first", "second");

        second = true;
        walk.look();
        pass(READING);
        assertThat(walk.isOver()).isTrue();
        assertThat(walk.state()).containsEntry("missed", 1).containsEntry("over", true);
        assertThat(walk.says()).contains("Not everything was to be seen");
    }

    @Test
    void look_allSeen_endsAndDoesNothingMore() throws InterruptedException {
        first = true;
        second = true;
        walk.look();
        pass(MOMENT);
        pass(READING);
        pass(MOMENT);
        pass(READING);
        pass(READING);

        assertThat(walk.isOver()).isTrue();
        assertThat(did).containsExactly("first", "second");
        assertThat(walk.says()).startsWith("That was the tour.").doesNotContain("Not everything");
    }

    @Test
    void stop_inAStep_nothingMoreIsDone() throws InterruptedException {
        first = true;
        walk.look();
        walk.stop();
        pass(READING);

        assertThat(walk.isOver()).isTrue();
        assertThat(did).containsExactly("first");
        assertThat(walk.says()).contains("was stopped");
    }

    private void pass(Duration duration) throws InterruptedException {
        time.sleep(duration.toNanos());
        walk.look();
    }
}

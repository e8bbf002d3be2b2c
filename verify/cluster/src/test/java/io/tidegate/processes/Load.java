package io.tidegate.processes;

import static java.util.stream.Collectors.toUnmodifiableSet;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** The work of a run. All of it follows from the seed, so every worker knows it. */
record Load(List<Item> items) {
    static final int ARRIVALS_MILLIS = 1_200;

    private static final int ITEMS = 40;
    private static final int DOMAINS = 6;
    private static final int SLOW = 3;
    private static final int FLAKY = 4;
    private static final int HOPELESS = 2;

    /** What happens to the work of an offset. */
    enum Course {
        QUICK,
        /** Takes longer than its lease, which the worker renews. */
        SLOW,
        /** Fails once and then succeeds. */
        FLAKY,
        /** Fails every time. */
        HOPELESS,
        /** Kills its process. */
        DEADLY;

        boolean canSucceed() {
            return this != HOPELESS && this != DEADLY;
        }
    }

    /** An offset, and the time at which it is first offered. */
    record Item(String domainId, long offset, int arrivalMillis, Course course) {}

    static Load of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Course> courses = courses(random, seed % 5 < 2 ? 1 : 0);
        Map<String, Long> last = new HashMap<>();
        List<Item> items = new ArrayList<>();
        int[] arrivals = random.ints(ITEMS, 0, ARRIVALS_MILLIS).sorted().toArray();
        for (int i = 0; i < ITEMS; i++) {
            String domainId = "domain" + zipf(random);
            // mostly the next one, so that processed offsets are runs, and sometimes not
            long step = random.nextInt(5) == 0 ? random.nextInt(2, 10) : 1;
            long offset = last.merge(domainId, step, Long::sum);
            items.add(new Item(domainId, offset, arrivals[i], courses.get(i)));
        }
        return new Load(List.copyOf(items));
    }

    Set<String> domainIds() {
        return items.stream().map(Item::domainId).collect(toUnmodifiableSet());
    }

    /** The domain of rank r has a share of 1/r. */
    private static int zipf(SplittableRandom random) {
        double all = 0;
        for (int rank = 1; rank <= DOMAINS; rank++) {
            all += 1.0 / rank;
        }
        double drawn = random.nextDouble() * all;
        int rank = 1;
        for (double below = 1; below < drawn && rank < DOMAINS; below += 1.0 / rank) {
            rank++;
        }
        return rank;
    }

    private static List<Course> courses(SplittableRandom random, int deadly) {
        List<Course> courses = new ArrayList<>();
        add(courses, Course.DEADLY, deadly);
        add(courses, Course.HOPELESS, HOPELESS);
        add(courses, Course.FLAKY, FLAKY);
        add(courses, Course.SLOW, SLOW);
        add(courses, Course.QUICK, ITEMS - courses.size());
        Collections.shuffle(courses, random);
        return courses;
    }

    private static void add(List<Course> courses, Course course, int count) {
        for (int i = 0; i < count; i++) {
            courses.add(course);
        }
    }
}

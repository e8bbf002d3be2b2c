package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.jdbc.DomainRow.Run;
import io.tidegate.jdbc.TestDatabase.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Java, the functions and the procedures pack processed offsets in the same way: the same runs, in any order, become
 * the same bytes.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PackedRunsTest {
    private static final int RUNS = 600;
    private static final long DOMAIN = 1;
    private static final long SEED = Long.getLong("tidegate.seed", 1);

    /** The order in which runs come, and the distance between them. */
    enum Order {
        ASCENDING {
            @Override
            List<Run> runs(Random random) {
                return apart(-1_000, 4, 3, random);
            }
        },
        DESCENDING {
            @Override
            List<Run> runs(Random random) {
                List<Run> runs = apart(0, 4, 3, random);
                Collections.reverse(runs);
                return runs;
            }
        },
        RANDOM {
            @Override
            List<Run> runs(Random random) {
                List<Run> runs = apart(-2_000, 3, 4, random);
                Collections.shuffle(runs, random);
                return runs;
            }
        },
        /** Runs that touch in the end, so that one run is left if they fit into one row. */
        ADJACENT {
            @Override
            List<Run> runs(Random random) {
                List<Run> runs = apart(0, 1, 3, random);
                Collections.shuffle(runs, random);
                return runs;
            }
        },
        EVERY_SECOND_THEN_THE_OTHERS {
            @Override
            List<Run> runs(Random random) {
                List<Run> runs = new ArrayList<>();
                for (long i = 0; i < RUNS; i++) {
                    long offset = i < RUNS / 2 ? 2 * i : 2 * (i - RUNS / 2) + 1;
                    runs.add(new Run(offset, offset));
                }
                return runs;
            }
        },
        INTERLEAVED_STREAMS {
            @Override
            List<Run> runs(Random random) {
                List<Run> runs = new ArrayList<>();
                for (long i = 0; i < RUNS; i++) {
                    long offset = i / 2 + i % 2 * 1_000_000;
                    runs.add(new Run(offset, offset));
                }
                return runs;
            }
        },
        SPARSE {
            @Override
            List<Run> runs(Random random) {
                List<Run> runs = apart(0, 1_000_000, 1, random);
                Collections.shuffle(runs.subList(RUNS / 2, RUNS), random);
                return runs;
            }
        },
        VERY_SPARSE {
            @Override
            List<Run> runs(Random random) {
                List<Run> runs = apart(Long.MIN_VALUE, 1L << 53, 1 << 20, random);
                Collections.shuffle(runs, random);
                return runs;
            }
        },
        EXTREME {
            @Override
            List<Run> runs(Random random) {
                List<Run> runs = new ArrayList<>();
                for (long i = 0; i < 100; i++) {
                    runs.add(new Run(Long.MIN_VALUE + 2 * i, Long.MIN_VALUE + 2 * i));
                    runs.add(new Run(Long.MAX_VALUE - 2 * i, Long.MAX_VALUE - 2 * i));
                    runs.add(new Run((i - 50) << 57, ((i - 50) << 57) + 1));
                }
                runs.add(new Run(Long.MIN_VALUE + 1_000, -(1L << 62) - (1L << 57)));
                Collections.shuffle(runs, random);
                return runs.stream().filter(run -> isFree(run, runs)).toList();
            }

            private static boolean isFree(Run run, List<Run> runs) {
                return runs.stream()
                        .noneMatch(other ->
                                !other.equals(run) && other.first() <= run.first() && run.first() <= other.last());
            }
        };

        abstract List<Run> runs(Random random);

        /** Returns ascending runs with at most this distance and this length. */
        private static List<Run> apart(long begin, long mostApart, int longest, Random random) {
            List<Run> runs = new ArrayList<>();
            long first = begin;
            for (int i = 0; i < RUNS; i++) {
                long last = first + random.nextInt(longest);
                runs.add(new Run(first, last));
                first = last + 1 + (mostApart == 1 ? 0 : random.nextLong(mostApart));
            }
            return runs;
        }
    }

    private interface Adding {
        void add(Connection connection, Run run) throws SQLException;
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("WL-32 runs in any order are the same bytes on each engine, which have them and nothing else")
    void addRun_anyOrder_isTheSameOnAll(Order order) throws SQLException {
        String story = order + ", seed " + SEED;
        List<Run> runs = order.runs(new Random(SEED));
        List<String> ofH2 = rows(Kind.H2_MEMORY, runs, (connection, run) -> H2Engine.addRun(connection, DOMAIN, run));
        List<String> ofPostgres = rows(Kind.POSTGRES, runs, calling("select tidegate_add_run(?, ?, ?)"));
        List<String> ofMariaDb = rows(Kind.MARIADB, runs, calling("call tidegate_add_run(?, ?, ?)"));
        assertThat(ofPostgres).as(story).isEqualTo(ofH2);
        assertThat(ofMariaDb).as(story).isEqualTo(ofH2);
        assertHas(ofH2, runs, story);
    }

    private static Adding calling(String sql) {
        return (connection, run) -> {
            try (PreparedStatement call = connection.prepareStatement(sql)) {
                call.setLong(1, DOMAIN);
                call.setLong(2, run.first());
                call.setLong(3, run.last());
                call.execute();
            }
        };
    }

    private static List<String> rows(Kind kind, List<Run> runs, Adding adding) throws SQLException {
        try (TestDatabase database = TestDatabase.create(kind);
                Connection connection = database.transaction()) {
            for (Run run : runs) {
                adding.add(connection, run);
            }
            List<String> rows = new ArrayList<>();
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select first_offset, tail_offset, last_offset, packed"
                            + " from tidegate_processed order by first_offset")) {
                while (row.next()) {
                    rows.add(row.getLong(1) + " " + row.getLong(2) + " " + row.getLong(3) + " "
                            + HexFormat.of().formatHex(row.getBytes(4)));
                }
            }
            connection.rollback();
            return rows;
        }
    }

    /** Unpacks rows of any engine in Java, and compares them with the runs. */
    private static void assertHas(List<String> rows, List<Run> runs, String story) {
        TreeMap<Long, PackedRuns> packed = new TreeMap<>();
        long end = Long.MIN_VALUE;
        for (String row : rows) {
            String[] parts = row.split(" ", -1);
            PackedRuns one = new PackedRuns(
                    Long.parseLong(parts[0]),
                    new Run(Long.parseLong(parts[1]), Long.parseLong(parts[2])),
                    HexFormat.of().parseHex(parts[3]));
            assertThat(packed.isEmpty() || end < one.first())
                    .as("rows do not overlap, " + story)
                    .isTrue();
            end = one.tail().last();
            packed.put(one.first(), one);
        }
        TreeMap<Long, Run> expected = new TreeMap<>();
        runs.forEach(run -> expected.put(run.first(), run));
        for (Run run : runs) {
            for (long offset : new long[] {run.first() - 1, run.first(), run.last(), run.last() + 1}) {
                Map.Entry<Long, PackedRuns> row = packed.floorEntry(offset);
                Map.Entry<Long, Run> wanted = expected.floorEntry(offset);
                assertThat(row != null && row.getValue().contains(offset))
                        .as(offset + ", " + story)
                        .isEqualTo(wanted != null && wanted.getValue().contains(offset));
            }
        }
    }
}

package io.tidegate.redis;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.tidegate.Reading;
import io.tidegate.measure.RoundTrips;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls scripts on the server and waits for their answers, uninterruptibly. Thread-safe. */
final class ScriptCalls {
    /*
     * Many calls of a script become few commands. A command takes the calls whose keys may be together, in a cluster
     * those of one slot, up to a limit, so that the server serves others between two commands. A command does not wait
     * for the answers to earlier ones, so any number of calls takes one round trip; in a cluster all nodes get theirs
     * at the same time. Commands arrive in the order in which they were sent.
     *
     * A command names its script by the digest. A server that does not know the digest, because it has just started,
     * refuses, and the command is sent again with the text. Another client could send the text between two commands of
     * ours, so that the second one runs before the first. Therefore the first of several commands carries the text.
     *
     * A single address may lead to a cluster that refuses keys of several slots. Then nothing has happened, and each
     * slot gets a command of its own.
     */
    static final int MOST_AT_ONCE = 100;

    private final RedisScriptingAsyncCommands<String, String> commands;
    private final Supplier<Duration> timeout;
    private final boolean slotsApart;
    private final RoundTrips trips = new RoundTrips();

    ScriptCalls(RedisScriptingAsyncCommands<String, String> commands, Supplier<Duration> timeout, boolean slotsApart) {
        this.commands = commands;
        this.timeout = timeout;
        this.slotsApart = slotsApart;
    }

    static ScriptCalls over(StatefulRedisConnection<String, String> connection) {
        return new ScriptCalls(connection.async(), connection::getTimeout, false);
    }

    static ScriptCalls over(StatefulRedisClusterConnection<String, String> connection) {
        return new ScriptCalls(connection.async(), connection::getTimeout, true);
    }

    /**
     * Returns the script's answer, word by word.
     *
     * @throws RedisUnavailableException if there is none
     */
    List<String> call(ScriptCall call) {
        return callAll(List.of(call)).get(0);
    }

    /**
     * Returns the script's answers, in the order of the calls.
     *
     * @param calls all of one script
     * @throws RedisUnavailableException if one is not answered; the others may have been applied
     */
    List<List<String>> callAll(List<ScriptCall> calls) {
        return calls.isEmpty() ? List.of() : trips.ask(calls.get(0).script().toString(), () -> askAndAnswer(calls));
    }

    /** Reports how long answers take, and how many calls got none. */
    void read(Reading to) {
        trips.read(to);
    }

    private List<List<String>> askAndAnswer(List<ScriptCall> calls) {
        List<List<String>> answers = new ArrayList<>(calls.size());
        // All calls end before one throws, so whatever the caller does next comes after all of them.
        for (Asked asked : askAll(calls)) {
            answers.add(asked.words());
        }
        return answers;
    }

    private List<Asked> askAll(List<ScriptCall> calls) {
        List<Asked> all = calls.stream().map(Asked::new).toList();
        ask(all, slotsApart);
        return all;
    }

    private void ask(List<Asked> all, boolean apart) {
        List<Command> sent = new ArrayList<>();
        bySlot(all, apart).forEach(together -> send(together, sent));
        List<Command> sentAgain = new ArrayList<>();
        for (Command command : sent) {
            RedisException refusal = command.await();
            if (refusal instanceof RedisNoScriptException) {
                sentAgain.add(new Command(command.calls, true));
            } else if (!apart && refusal != null && refused(refusal, "CROSSSLOT")) {
                ask(command.calls, true);
            }
        }
        sentAgain.forEach(Command::await);
    }

    private static Collection<List<Asked>> bySlot(List<Asked> all, boolean apart) {
        Map<Integer, List<Asked>> together = new LinkedHashMap<>();
        for (Asked asked : all) {
            int slot = apart ? SlotHash.getSlot(asked.call.keys().get(0)) : 0;
            together.computeIfAbsent(slot, first -> new ArrayList<>()).add(asked);
        }
        return together.values();
    }

    private void send(List<Asked> together, List<Command> sent) {
        for (int from = 0; from < together.size(); from += MOST_AT_ONCE) {
            int to = Math.min(from + MOST_AT_ONCE, together.size());
            boolean firstOfSeveral = from == 0 && to < together.size();
            sent.add(new Command(together.subList(from, to), firstOfSeveral));
        }
    }

    private static boolean refused(RedisException refusal, String why) {
        return refusal instanceof RedisCommandExecutionException
                && String.valueOf(refusal.getMessage()).startsWith(why);
    }

    /** A call and its outcome. */
    private static final class Asked {
        private static final String REFUSED = "REFUSED ";

        private final ScriptCall call;
        private String answer = "";
        private @Nullable RedisException failure;

        Asked(ScriptCall call) {
            this.call = call;
        }

        void answered(String line) {
            answer = line;
            failure = line.startsWith(REFUSED)
                    ? new RedisCommandExecutionException(line.substring(REFUSED.length()))
                    : null;
        }

        void failed(RedisException reason) {
            failure = reason;
        }

        List<String> words() {
            if (failure != null) {
                throw RedisUnavailableException.of(call, failure);
            }
            return List.of(answer.split(" ", -1));
        }
    }

    /** Calls that are sent together. */
    private final class Command {
        private final List<Asked> calls;
        private final Future<String> answer;
        private final Duration longest = timeout.get();
        private final long sentAt = System.nanoTime();

        Command(List<Asked> calls, boolean withText) {
            this.calls = calls;
            this.answer = sent(withText);
        }

        private Future<String> sent(boolean withText) {
            Script script = calls.get(0).call.script();
            List<String> keys = new ArrayList<>();
            List<String> arguments = new ArrayList<>();
            arguments.add(Integer.toString(calls.size()));
            for (Asked asked : calls) {
                keys.addAll(asked.call.keys());
                arguments.addAll(asked.call.arguments());
            }
            String[] keyArray = keys.toArray(String[]::new);
            String[] argumentArray = arguments.toArray(String[]::new);
            try {
                return withText
                        ? commands.eval(script.text(), ScriptOutputType.VALUE, keyArray, argumentArray)
                        : commands.evalsha(script.digest(), ScriptOutputType.VALUE, keyArray, argumentArray);
            } catch (RedisException refused) {
                return CompletableFuture.failedFuture(refused);
            }
        }

        /** Gives the calls their outcomes. Returns why they were not answered, or null if they were. */
        @Nullable
        RedisException await() {
            try {
                String[] lines = awaited().split("\n", -1);
                for (int i = 0; i < lines.length; i++) {
                    calls.get(i).answered(lines[i]);
                }
                return null;
            } catch (ExecutionException | CancellationException | TimeoutException failed) {
                RedisException reason = reason(failed);
                calls.forEach(asked -> asked.failed(reason));
                return reason;
            }
        }

        private String awaited() throws ExecutionException, TimeoutException {
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        return longest.isZero()
                                ? answer.get()
                                : answer.get(longest.toNanos() - (System.nanoTime() - sentAt), NANOSECONDS);
                    } catch (InterruptedException later) {
                        interrupted = true;
                    }
                }
            } catch (TimeoutException late) {
                // The cancelled command is not sent when the server comes back.
                answer.cancel(true);
                throw late;
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private RedisException reason(Exception failed) {
            if (failed instanceof ExecutionException && failed.getCause() instanceof RedisException reason) {
                return reason;
            }
            String message = failed instanceof TimeoutException ? "none within " + longest : "the client gave it up";
            return new RedisException(message, failed);
        }
    }
}

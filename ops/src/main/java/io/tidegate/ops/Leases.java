package io.tidegate.ops;

import io.tidegate.jdbc.JdbcLeaseException;
import io.tidegate.redis.RedisUnavailableException;
import java.io.Console;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.logging.LogManager;
import org.jspecify.annotations.Nullable;

/** The command behind {@code ./tidegate leases}: shows and changes the leases in a store. */
public final class Leases {
    private static final int DONE = 0;
    private static final int REFUSED = 1;
    private static final int MISUSE = 2;
    private static final int NOT_REACHED = 3;

    static final String HELP = """
            usage: ./tidegate leases COMMAND --store ADDRESS --name NAME [--json]

              list                            all domains by name: lease and holder, waiting, parked and processed work
              show DOMAIN                     one domain and the head of its backlog
              parked [DOMAIN]                 parked work of a domain; without DOMAIN, all domains that have some
              replay DOMAIN OFFSET            make parked work new work, at the end of the backlog
              release DOMAIN                  take the lease from a stuck holder; asks first
              forget [DOMAIN] --up-to OFFSET  count all old offsets of a domain, or of all, as processed; asks first
              forget --failed AGE             count work that was parked longer ago as processed; asks first
              forget --idle AGE               delete domains that had no work for that long; asks first
              help                            print this

              --store ADDRESS   jdbc:postgresql://host/database, jdbc:mariadb://host/database, jdbc:h2:/path/to/file,
                                redis://host:port, rediss://host:port
              --name NAME       the name of the leases in the builder, such as orders
              --user USER       the login; default: $TIDEGATE_USER. The password is $TIDEGATE_PASSWORD, or asked for
              --prefix PREFIX   the prefix of the keys on Redis; default: tidegate
              --limit N         list, parked: the number of rows; default: 100
              --after DOMAIN    list, parked: start after this domain
              --json            print one JSON object instead of a table
              --yes             do not ask; required without a terminal
              --                the end of the options

              Examples of AGE: 30d, 12h, 15m, 10s.
              Exit codes: 0 done, 1 not found or refused, 2 invalid command line, 3 store not reached, or without
              leases that this version can read.
            """;

    private final Function<Options, Store> stores;
    private final Function<String, Optional<Boolean>> agreed;
    private final PrintStream out;
    private final PrintStream errors;

    /** @param agreed whether the operator agrees; empty if no operator can be asked */
    Leases(
            Function<Options, Store> stores,
            Function<String, Optional<Boolean>> agreed,
            PrintStream out,
            PrintStream errors) {
        this.stores = stores;
        this.agreed = agreed;
        this.out = out;
        this.errors = errors;
    }

    /** Runs a command and exits; {@code help} lists the commands. */
    public static void main(String[] args) {
        LogManager.getLogManager().reset(); // errors are reported below, in one line, so the drivers need not log them
        Console terminal = System.console();
        String folder = System.getProperty("tidegate.from", System.getProperty("user.dir"));
        Addresses addresses =
                new Addresses(System.getenv(), folder, Addresses.PATIENCE, user -> askPassword(terminal, user));
        Function<String, Optional<Boolean>> agreed = question -> ask(terminal, question);
        System.exit(new Leases(addresses::open, agreed, System.out, System.err).run(List.of(args)));
    }

    private static Optional<String> askPassword(@Nullable Console terminal, String user) {
        char[] password = terminal == null ? null : terminal.readPassword("password of %s: ", user);
        return password == null ? Optional.empty() : Optional.of(new String(password));
    }

    private static Optional<Boolean> ask(@Nullable Console terminal, String question) {
        if (terminal == null) {
            return Optional.empty();
        }
        String answer = terminal.readLine("%s%nGo on? [y/N] ", question);
        return Optional.of(
                answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes"));
    }

    int run(List<String> arguments) {
        if (arguments.isEmpty()) {
            errors.print(HELP);
            return MISUSE;
        }
        if (List.of("help", "--help", "-h").contains(arguments.get(0))) {
            out.print(HELP);
            return DONE;
        }
        try {
            Options options = Options.parse(arguments);
            try (Store store = stores.apply(options)) {
                Operations.Report report = new Operations(store.lease(), options, text -> confirm(options, text)).run();
                out.print(options.has("json") ? OutputText.json(report.fields()) + "\n" : report.text());
                return DONE;
            }
        } catch (Misuse misuse) {
            return fail(MISUSE, misuse.getMessage() + "; see './tidegate leases help'");
        } catch (Refused refused) {
            return fail(REFUSED, refused.getMessage());
        } catch (NotReached | JdbcLeaseException | RedisUnavailableException away) {
            return fail(NOT_REACHED, "the store: " + away.getMessage() + causeOf(away));
        } catch (IllegalArgumentException unfit) {
            return fail(MISUSE, unfit.getMessage());
        }
    }

    private static String causeOf(RuntimeException away) {
        return away instanceof JdbcLeaseException && away.getCause() != null
                ? ": " + away.getCause().getMessage()
                : "";
    }

    private int fail(int code, @Nullable String message) {
        errors.println("tidegate leases: " + OutputText.visible(String.valueOf(message)));
        return code;
    }

    private void confirm(Options options, String text) {
        if (options.has("yes")) {
            return;
        }
        boolean goOn = agreed.apply(text)
                .orElseThrow(
                        () -> new Refused(text + " Nothing was done: without a terminal to confirm at, add --yes"));
        if (!goOn) {
            throw new Refused("nothing was done");
        }
    }
}

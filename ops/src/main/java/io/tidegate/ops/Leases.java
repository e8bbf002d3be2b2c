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

/** The command: shows and mends what is leased in a store. */
public final class Leases {
    private static final int DONE = 0;
    private static final int REFUSED = 1;
    private static final int MISUSE = 2;
    private static final int NOT_REACHED = 3;

    static final String HELP = """
            usage: ./tidegate leases COMMAND --store ADDRESS --name NAME [--json]

              list                            all domains, by name: what is leased by whom, what waits, is parked, is done
              show DOMAIN                     one of them, and what is next in its line
              parked [DOMAIN]                 work that has failed for good; without DOMAIN, the domains that have some
              replay DOMAIN OFFSET            make parked work new work, at the end of its line
              release DOMAIN                  take the lease from a holder that is stuck; asks first
              forget [DOMAIN] --up-to OFFSET  let old offsets of a domain, or of all, shrink to a number; asks first
              forget --failed AGE             give up work that was parked so long ago; asks first
              forget --idle AGE               delete domains with nothing to do for so long; asks first
              help                            print this

              --store ADDRESS   jdbc:postgresql://host/database, jdbc:mariadb://host/database, jdbc:h2:/path/to/file,
                                redis://host:port, rediss://host:port
              --name NAME       of the leases, as the builder is given it, such as orders
              --user USER       who logs in, if not $TIDEGATE_USER; the password is $TIDEGATE_PASSWORD, or asked for
              --prefix PREFIX   of the keys on Redis, if not tidegate
              --limit N         of list and parked: so many rows, if not 100
              --after DOMAIN    of list and parked: those behind this one
              --json            print one JSON object instead of a table
              --yes             do not ask; without a terminal nothing is lost unless this is given
              --                what follows is no option, whatever it looks like

              AGE is such as 30d, 12h, 15m or 10s.
              Exits with 0 if done, 1 if not found or refused, 2 if the command line is wrong, 3 if the store is not
              reached, or has no leases that this version knows.
            """;

    private final Function<Options, Store> stores;
    private final Function<String, Optional<Boolean>> agreed;
    private final PrintStream out;
    private final PrintStream errors;

    /** @param agreed whether somebody agrees; empty if there is nobody to ask */
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

    /** Runs a command and exits, see {@code help}. */
    public static void main(String[] args) {
        LogManager.getLogManager().reset(); // what drivers log is told below, in short
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
                out.print(options.has("json") ? Text.json(report.fields()) + "\n" : report.text());
                return DONE;
            }
        } catch (Misuse misuse) {
            return fail(MISUSE, misuse.getMessage() + "; './tidegate leases help' says more");
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
        errors.println("tidegate leases: " + Text.visible(String.valueOf(message)));
        return code;
    }

    private void confirm(Options options, String text) {
        if (options.has("yes")) {
            return;
        }
        boolean goOn = agreed.apply(text)
                .orElseThrow(
                        () -> new Refused(text + " Nothing was done: there is no terminal to ask at, so give --yes"));
        if (!goOn) {
            throw new Refused("nothing was done");
        }
    }
}

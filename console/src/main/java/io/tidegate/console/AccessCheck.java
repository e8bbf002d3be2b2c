package io.tidegate.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.net.InetAddress;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests the console accepts.
 *
 * <p>A page of another site cannot read the answers, because no header allows it. But it can send requests from the
 * browser of a legitimate viewer. If that site points its own host name at this machine, {@code Host} shows that name.
 * In other cases {@code Origin} and {@code Sec-Fetch-Site} show that the page is another site's. An address cannot be
 * pointed elsewhere, so the address that the client connected to is always accepted.
 */
final class AccessCheck {
    private final List<Authority> hosts;
    private final int port;
    private final byte @Nullable [] token;
    private final TokenBucket guesses;
    private final TokenBucket actions;

    AccessCheck(List<Authority> hosts, int port, @Nullable String token, LongSupplier ticker) {
        this.hosts = hosts;
        this.port = port;
        this.token = token == null ? null : token.getBytes(UTF_8);
        this.guesses = new TokenBucket(10, 1, ticker);
        this.actions = new TokenBucket(50, 20, ticker);
    }

    /** Checks any request. */
    void check(HttpExchange exchange, boolean api) throws Refused {
        Headers headers = exchange.getRequestHeaders();
        List<String> given = headers.getOrDefault("Host", List.of());
        Authority host = given.size() == 1 ? Authority.parse(given.get(0)) : null;
        if (host == null || !isOurs(host, exchange.getLocalAddress().getAddress())) {
            throw new Refused(403, "Host: " + given + " (expected: localhost, this address, or one of the hosts)");
        }
        for (String origin : headers.getOrDefault("Origin", List.of())) {
            Authority from = Authority.ofOrigin(origin);
            if (from == null || !(isSame(from, host) || isListed(from))) {
                throw new Refused(403, "Origin: " + origin + " (expected: the console's own page)");
            }
        }
        String site = headers.getFirst("Sec-Fetch-Site");
        boolean fromElsewhere = site != null && !Set.of("same-origin", "none").contains(site.toLowerCase(Locale.ROOT));
        boolean changes = exchange.getRequestMethod().equals("POST");
        if (fromElsewhere && (changes || api)) {
            throw new Refused(403, "Sec-Fetch-Site: " + site + " (expected: same-origin)");
        }
    }

    private boolean isOurs(Authority host, InetAddress local) {
        return host.isLoopback() || isListed(host) || isAddress(host.host(), local);
    }

    /* The texts are compared, so that no name is looked up. */
    private static boolean isAddress(String host, InetAddress local) {
        String address = local.getHostAddress();
        int scope = address.indexOf('%');
        String bare = scope < 0 ? address : address.substring(0, scope);
        boolean looksLikeOne = host.indexOf(':') >= 0;
        return host.equals(bare) || (looksLikeOne && bare.indexOf(':') >= 0 && same(host, local));
    }

    private static boolean same(String literal, InetAddress local) {
        try {
            return InetAddress.getByName(literal).equals(local); // has a colon, so it is never looked up
        } catch (java.net.UnknownHostException bad) {
            return false;
        }
    }

    /* Whether the two are the same. Host leaves out the port that is usual for the scheme. */
    private static boolean isSame(Authority origin, Authority host) {
        boolean samePort =
                origin.port() == host.port() || (host.port() == -1 && (origin.port() == 80 || origin.port() == 443));
        return origin.host().equals(host.host()) && samePort;
    }

    private boolean isListed(Authority given) {
        for (Authority host : hosts) {
            boolean samePort = host.port() == given.port()
                    || (host.port() == -1 && (given.port() == 80 || given.port() == 443 || given.port() == port));
            if (host.host().equals(given.host()) && samePort) {
                return true;
            }
        }
        return false;
    }

    /** Checks a request that changes something. */
    void checkControl(HttpExchange exchange) throws Refused {
        if (token == null) {
            throw new Refused(404, "control: off (expected: a console with a token)");
        }
        String given = exchange.getRequestHeaders().getFirst("Authorization");
        String scheme = "Bearer ";
        boolean bears = given != null && given.regionMatches(true, 0, scheme, 0, scheme.length());
        byte[] shown = bears ? given.substring(scheme.length()).strip().getBytes(UTF_8) : new byte[0];
        if (!MessageDigest.isEqual(token, shown)) {
            int wait = guesses.take(); // guesses do not lock out the owner of the token
            throw wait > 0
                    ? Refused.tooMany("Authorization", wait)
                    : new Refused(401, "Authorization: not right (expected: Bearer and the console's token)");
        }
        int wait = actions.take();
        if (wait > 0) {
            throw Refused.tooMany("actions", wait);
        }
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        if (type != null && !type.toLowerCase(Locale.ROOT).matches("application/json\\s*(;.*)?")) {
            throw new Refused(415, "Content-Type: " + type + " (expected: application/json)");
        }
    }

    boolean hasControl() {
        return token != null;
    }
}

package io.tidegate.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidegate.Part;
import io.tidegate.console.panel.Panel;
import io.tidegate.lease.WorkLease;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The console: takes requests and answers them. */
final class ConsoleServer implements Console {
    /** The longest body, in bytes. */
    static final int LONGEST_BODY = 64 * 1024;

    private static final Logger LOG = System.getLogger(Console.class.getName());
    /** How many connections the system holds for the console until it accepts them. */
    private static final int MOST_ARRIVING = 1_000;

    private static final int MOST_LOOKING = 8;
    private static final int MOST_ACTING = 8;
    private static final int MOST_ASKING = 16;
    private static final int READING_SECONDS = 10;
    private static final Duration READING_PATIENCE = Duration.ofSeconds(2);
    private static final long CLOSING_MILLIS = 5_000;
    private static final int SLICE = 8 * 1024;
    private static final int MOST_LINES = 1_000;
    private static final int USUAL_LINES = 50;
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final ConsoleBuilder settings;
    private final HttpServer server;
    private final Workers workers;
    private final EventLog log = new EventLog();
    private final FrameLoop frames;
    private final AccessCheck access;
    private final Files files;
    private final String url;

    /*
     * These bound the requests that run code of parts on their own thread. Such code may be slow, and other requests
     * must find a thread. If a part hangs, the viewers that look inside it cannot keep out the operator who comes to
     * repair it.
     */
    private final Semaphore looking = new Semaphore(MOST_LOOKING);
    private final Semaphore acting = new Semaphore(MOST_ACTING);
    private final Semaphore asking = new Semaphore(MOST_ASKING);
    private final AtomicBoolean closed = new AtomicBoolean();

    ConsoleServer(ConsoleBuilder settings) {
        this.settings = settings;
        try {
            this.server = HttpServer.create(new InetSocketAddress(settings.address, settings.port), MOST_ARRIVING);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "port: " + settings.port + " on " + settings.address + " (expected: one that is free)", e);
        }
        int port = server.getAddress().getPort();
        this.url = "http://" + host(settings.address) + ":" + port + settings.path + "/";
        this.access = new AccessCheck(settings.hosts, port, settings.controlToken, settings.ticker);
        this.workers = new Workers(settings.patience);
        this.files = new Files(settings.panel);
        LiveParts liveParts = new LiveParts(
                settings.registry,
                settings.panel,
                access.hasControl(),
                log,
                READING_PATIENCE,
                System::currentTimeMillis);
        this.frames = new FrameLoop(liveParts, settings.registry);
        server.setExecutor(workers);
        server.createContext("/", this::handle);
    }

    private static String host(InetAddress address) {
        InetAddress shown = address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
        String text = shown.getHostAddress();
        if (shown instanceof Inet6Address) {
            return shown.isLoopbackAddress() ? "[::1]" : "[" + text.replaceAll("%.*", "") + "]";
        }
        return text;
    }

    void start() {
        frames.start();
        // The server's thread becomes a daemon if a daemon starts it; an open console must not keep a program alive.
        Thread starter = new Thread(server::start, "tidegate-console-start");
        starter.setDaemon(true);
        starter.start();
        boolean interrupted = false;
        while (starter.isAlive()) {
            try {
                starter.join();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        frames.close();
        workers.close();
        server.stop(0);
        try {
            workers.join(CLOSING_MILLIS);
            frames.join(CLOSING_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    int viewers() {
        return frames.viewers();
    }

    @Override
    public String toString() {
        return "Console(" + url + ")";
    }

    // Requests

    private void handle(HttpExchange exchange) throws IOException {
        try {
            answer(exchange);
        } catch (Refused refused) {
            refuse(exchange, refused);
        } catch (RuntimeException | Error broken) { // parts and panels may throw anything
            LOG.log(Level.WARNING, "request failed", broken);
            refuse(exchange, new Refused(500, "failed: " + broken));
        } finally {
            Workers.receiving();
            exchange.close();
        }
    }

    private void answer(HttpExchange exchange) throws IOException, Refused {
        Workers.sending();
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Cache-Control", "no-cache");
        String path = path(exchange.getRequestURI());
        boolean api = path.startsWith(settings.path + "/api/");
        if (api) {
            headers.set("Cache-Control", "no-store");
        }
        access.check(exchange, api);
        if (path.equals(settings.path) && !path.isEmpty()) {
            headers.set("Location", settings.path + "/");
            sendHead(exchange, 308);
            return;
        }
        if (!path.startsWith(settings.path + "/")) {
            throw notFound();
        }
        String rest = path.substring(settings.path.length() + 1);
        switch (exchange.getRequestMethod()) {
            case "GET", "HEAD" -> get(exchange, rest);
            case "POST" -> post(exchange, rest);
            default -> throw notAllowed(exchange, rest.startsWith("api/") ? "GET, HEAD, POST" : "GET, HEAD");
        }
    }

    /** The raw path, with doubled slashes as one: a path that begins with two slashes has no host. */
    static String path(URI uri) {
        String raw = uri.getScheme() == null ? uri.toString() : String.valueOf(uri.getRawPath());
        int end = raw.indexOf('?');
        return (end < 0 ? raw : raw.substring(0, end)).replaceAll("/{2,}", "/");
    }

    private static Refused notFound() {
        return new Refused(404, "path: unknown (expected: /, /api/parts or /api/stream)");
    }

    private static Refused notAllowed(HttpExchange exchange, String allowed) {
        exchange.getResponseHeaders().set("Allow", allowed);
        return new Refused(405, "method: " + exchange.getRequestMethod() + " (expected: " + allowed + ")");
    }

    private void get(HttpExchange exchange, String path) throws IOException, Refused {
        if (path.equals("api/parts")) {
            send(exchange, 200, "application/json", everything());
        } else if (path.equals("api/stream")) {
            stream(exchange);
        } else if (path.startsWith("api/")) {
            answerAboutPart(exchange, segments(path));
        } else {
            String name = path.isEmpty() ? "index.html" : path;
            byte[] file = files.read(name);
            if (file == null) {
                throw notFound();
            }
            send(exchange, 200, Files.type(name), file);
        }
    }

    private byte[] everything() throws Refused {
        if (!asking.tryAcquire()) {
            throw Refused.tooMany("requests", 1);
        }
        Workers.own();
        try {
            return frames.ask().get(READING_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | CancellationException | TimeoutException e) {
            throw new Refused(503, "parts: not read in time (expected: later)", 1);
        } catch (ExecutionException e) {
            throw new Refused(500, "parts: " + e.getCause());
        } finally {
            Workers.sending();
            asking.release();
        }
    }

    private void stream(HttpExchange exchange) throws IOException, Refused {
        if (exchange.getRequestMethod().equals("HEAD")) {
            send(exchange, 200, "text/event-stream", new byte[0]);
            return;
        }
        Viewer viewer = frames.join();
        if (viewer == null) {
            throw new Refused(503, "viewers: too many (expected: up to " + FrameLoop.MOST_VIEWERS + ")", 5);
        }
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.getResponseHeaders().set("X-Accel-Buffering", "no"); // otherwise proxies hold frames back
            exchange.sendResponseHeaders(200, 0);
            OutputStream to = exchange.getResponseBody();
            byte[] frame = next(viewer);
            while (frame != null) {
                write(to, frame);
                frame = next(viewer);
            }
        } finally {
            frames.leave(viewer);
        }
    }

    private static byte @Nullable [] next(Viewer viewer) {
        Workers.own();
        try {
            return viewer.next();
        } catch (InterruptedException closing) {
            return null;
        } finally {
            Workers.sending();
        }
    }

    /** Answers questions about the inside of one part: {@code api/parts/<kind>/<name>/…}. */
    private void answerAboutPart(HttpExchange exchange, List<String> path) throws IOException, Refused {
        boolean ofPart = path.size() >= 5 && path.get(1).equals("parts");
        Part part = ofPart
                ? settings.registry
                        .find(path.get(2), named(exchange, "name", path.get(3)))
                        .orElse(null)
                : null;
        if (part == null) {
            throw notFound();
        }
        int limit = whole(exchange, "limit", USUAL_LINES, MOST_LINES);
        String after = query(exchange, "after");
        String what = String.join("/", path.subList(4, path.size()));
        byte[] answer;
        if (what.equals("groups") && Actions.isGroup(part)) {
            String by = query(exchange, "by");
            answer = run(
                    looking, () -> Json.bytes(json -> GroupActions.write(json, part, limit, by == null ? "load" : by)));
        } else if (what.equals("domains") && part instanceof WorkLease lease) {
            answer = run(looking, () -> LeaseActions.domains(lease, limit, after == null ? "" : after));
        } else if (path.size() == 6 && path.get(4).equals("domains") && part instanceof WorkLease lease) {
            String domain = named(exchange, "domain", path.get(5));
            answer = run(looking, () -> LeaseActions.domain(lease, domain));
        } else {
            throw notFound();
        }
        if (answer.length == 0) {
            throw new Refused(
                    404, "domain: " + named(exchange, "domain", path.get(5)) + " (expected: one that is known)");
        }
        send(exchange, 200, "application/json", answer);
    }

    /**
     * Returns a name from the query, or else from the path. The path is not enough: browsers remove {@code .} and
     * {@code ..} from a path, however they are encoded, and proxies may change names with a slash.
     */
    private static String named(HttpExchange exchange, String key, String segment) {
        String given = query(exchange, key);
        return given == null ? segment : given;
    }

    private static int whole(HttpExchange exchange, String name, int usual, int most) throws Refused {
        String given = query(exchange, name);
        if (given == null) {
            return usual;
        }
        if (given.matches("[0-9]{1,9}") && Integer.parseInt(given) >= 1) {
            return Math.min(Integer.parseInt(given), most);
        }
        throw new Refused(400, name + ": " + given + " (expected: 1 to " + most + ")");
    }

    private static @Nullable String query(HttpExchange exchange, String name) {
        String raw = exchange.getRequestURI().getRawQuery();
        return raw == null
                ? null
                : Arrays.stream(raw.split("&"))
                        .filter(pair -> pair.startsWith(name + "="))
                        .map(pair -> decoded(pair.substring(name.length() + 1).replace("+", " ")))
                        .findFirst()
                        .orElse(null);
    }

    private static List<String> segments(String path) {
        return Arrays.stream(path.split("/", -1)).map(ConsoleServer::decoded).toList();
    }

    private static String decoded(String raw) {
        return URLDecoder.decode(raw.replace("+", "%2B"), UTF_8);
    }

    private void post(HttpExchange exchange, String path) throws IOException, Refused {
        List<String> segments = segments(path);
        boolean ofPart = segments.size() == 5 && path.startsWith("api/parts/");
        boolean ofPanel = segments.size() == 3 && path.startsWith("api/panel/") && settings.panel != null;
        if (!ofPart && !ofPanel) {
            throw access.hasControl() && !path.startsWith("api/") ? notAllowed(exchange, "GET, HEAD") : notFound();
        }
        access.checkControl(exchange);
        byte[] body = body(exchange);
        Panel panel = settings.panel;
        Body given;
        try {
            given = new Body(Json.object(body));
        } catch (IllegalArgumentException bad) {
            throw new Refused(400, String.valueOf(bad.getMessage()));
        }
        byte[] answer = ofPanel && panel != null
                ? run(acting, () -> act(panel, segments.get(2), given.fields()))
                : act(segments.get(2), named(exchange, "name", segments.get(3)), segments.get(4), given);
        send(exchange, 200, "application/json", answer);
    }

    private byte[] act(Panel panel, String action, Map<String, Object> body) {
        Map<String, ?> answer = panel.act(action, body);
        log.add(new Event(System.currentTimeMillis(), "action", null, panel.title(), action, body.toString(), null));
        return Json.bytes(json -> Json.value(json, answer));
    }

    private byte[] act(String kind, String name, String action, Body body) throws Refused {
        Part part = settings.registry
                .find(kind, name)
                .orElseThrow(() -> new Refused(404, "part: " + kind + " " + name + " (expected: one that is there)"));
        return run(acting, () -> {
            Actions.Done done = Actions.run(part, action, body);
            Event event = new Event(
                    System.currentTimeMillis(),
                    "action",
                    kind,
                    name,
                    action,
                    done.before() + " → " + done.after(),
                    new Event.Change(action, done.before(), done.after()));
            log.add(event);
            return Json.bytes(event::write);
        });
    }

    /** Runs code of a part, which may be slow. */
    private static byte[] run(Semaphore room, Supplier<byte[]> work) throws Refused {
        if (!room.tryAcquire()) {
            throw Refused.tooMany("requests", 1);
        }
        Workers.own();
        try {
            return work.get();
        } catch (UnsupportedOperationException notDoneHere) {
            throw new Refused(404, String.valueOf(notDoneHere.getMessage()));
        } catch (IllegalArgumentException bad) {
            throw new Refused(400, String.valueOf(bad.getMessage()));
        } finally {
            Workers.sending();
            room.release();
        }
    }

    private static byte[] body(HttpExchange exchange) throws IOException, Refused {
        Workers.receiving();
        byte[] body;
        try {
            body = exchange.getRequestBody().readNBytes(LONGEST_BODY + 1);
        } catch (IOException | RuntimeException broken) { // the chunks are invalid, or the client has gone
            throw new Refused(400, "body: broken (expected: as long as its headers say, or chunks)");
        } finally {
            Workers.sending();
        }
        if (body.length > LONGEST_BODY) {
            throw new Refused(413, "body: longer (expected: up to " + LONGEST_BODY + " bytes)");
        }
        return body;
    }

    // Answers

    private static void refuse(HttpExchange exchange, Refused refused) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        if (refused.status == 401) {
            headers.set("WWW-Authenticate", "Bearer");
        }
        if (refused.retryAfterSeconds > 0) {
            headers.set("Retry-After", Integer.toString(refused.retryAfterSeconds));
        }
        byte[] answer = Json.bytes(json -> {
            json.writeStartObject();
            json.writeStringField("error", Json.text(refused.getMessage()));
            json.writeEndObject();
        });
        send(exchange, refused.status, "application/json", answer);
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] bytes) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        if (exchange.getRequestMethod().equals("HEAD")) {
            sendHead(exchange, status);
            return;
        }
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream to = exchange.getResponseBody()) {
            write(to, bytes);
            Workers.receiving(); // closing reads the rest of the request's body
        }
    }

    private static void sendHead(HttpExchange exchange, int status) throws IOException {
        Workers.receiving(); // because this closes, too
        exchange.sendResponseHeaders(status, -1);
    }

    /* In slices, because a channel keeps a buffer outside the heap of the size of the largest write. */
    private static void write(OutputStream to, byte[] bytes) throws IOException {
        for (int from = 0; from < bytes.length; from += SLICE) {
            to.write(bytes, from, Math.min(SLICE, bytes.length - from));
        }
        to.flush();
    }
}

package io.tidegate.processes;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class FaultProxyTest {
    private ServerSocket listening;
    private FaultProxy proxy;
    private Socket client;
    private Socket server;

    @BeforeEach
    void connect() throws IOException {
        listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        proxy = new FaultProxy(listening.getLocalPort());
        client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
        server = listening.accept();
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        client.close();
        server.close();
        listening.close();
    }

    private static void say(Socket from, String text) throws IOException {
        from.getOutputStream().write(text.getBytes(US_ASCII));
    }

    /** Returns all text until the conversation is closed or reset. */
    @SuppressWarnings("EmptyCatch")
    private static String heardToTheEnd(Socket by) throws IOException {
        StringBuilder heard = new StringBuilder();
        try {
            for (int read = by.getInputStream().read();
                    read >= 0;
                    read = by.getInputStream().read()) {
                heard.append((char) read);
            }
        } catch (SocketException reset) {
            // the text until then counts
        }
        return heard.toString();
    }

    private static String heard(Socket by, int count) throws IOException {
        return new String(by.getInputStream().readNBytes(count), US_ASCII);
    }

    @Test
    void forward_noFault_isFaithful() throws IOException {
        say(client, "ping");
        assertThat(heard(server, 4)).isEqualTo("ping");
        say(server, "pong");
        assertThat(heard(client, 4)).isEqualTo("pong");
    }

    @Test
    void cutAfter_bytesOfADirection_letsThoseThrough() throws IOException {
        proxy.cutAfter(FaultProxy.Direction.REPLIES, 3);
        say(client, "ping");
        assertThat(heard(server, 4)).isEqualTo("ping");
        say(server, "pong");
        assertThat(heardToTheEnd(client)).isEqualTo("pon");
        assertThat(proxy.truncated(FaultProxy.Direction.REPLIES)).isEqualTo(1);
        assertThat(proxy.truncated(FaultProxy.Direction.REQUESTS)).isZero();
    }

    @Test
    void delay_isFaithfulAndCounts() throws IOException {
        say(client, "ping");
        assertThat(heard(server, 4)).isEqualTo("ping");
        assertThat(proxy.delayed()).isZero();
        proxy.delay(1);
        say(server, "pong");
        assertThat(heard(client, 4)).isEqualTo("pong");
        assertThat(proxy.delayed()).isPositive();
    }

    @Test
    void cut_endsBoth() throws IOException {
        say(client, "ping");
        assertThat(heard(server, 4)).isEqualTo("ping");
        proxy.cut();
        assertThat(heardToTheEnd(client)).isEmpty();
        assertThat(heardToTheEnd(server)).isEmpty();
    }

    @Test
    void swallowReplies_keepsTheConnectionUntilHealed() throws IOException {
        proxy.swallowReplies();
        say(client, "ping");
        assertThat(heard(server, 4)).isEqualTo("ping");
        say(server, "pong");
        client.setSoTimeout(100);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        proxy.heal();
        client.setSoTimeout(0);
        assertThat(heardToTheEnd(client)).isEmpty();
    }
}

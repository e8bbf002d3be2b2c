package io.tidegate.relay;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The protocol of a client: where its messages begin and end, and which begin a round trip. */
public enum Protocol {
    /** A client waits for the server after each Sync and each Query. */
    POSTGRES {
        @Override
        byte[] readFirst(DataInputStream in) throws IOException {
            return read(in, new byte[0]); // the first message has no type
        }

        @Override
        byte[] read(DataInputStream in) throws IOException {
            return read(in, in.readNBytes(1));
        }

        private byte[] read(DataInputStream in, byte[] type) throws IOException {
            int length = in.readInt();
            return ByteBuffer.allocate(type.length + length)
                    .put(type)
                    .putInt(length)
                    .put(in.readNBytes(length - Integer.BYTES))
                    .array();
        }

        @Override
        boolean beginsRoundTrip(byte[] message, boolean replied) {
            return message[0] == 'S' || message[0] == 'Q';
        }
    },
    /** Three bytes are the length, and one a number that begins at 0 with each command. */
    MARIADB {
        @Override
        byte[] read(DataInputStream in) throws IOException {
            byte[] head = in.readNBytes(4);
            if (head.length < 4) {
                throw new EOFException();
            }
            int length = (head[0] & 0xff) | (head[1] & 0xff) << 8 | (head[2] & 0xff) << 16;
            return ByteBuffer.allocate(head.length + length)
                    .put(head)
                    .put(in.readNBytes(length))
                    .array();
        }

        @Override
        boolean beginsRoundTrip(byte[] message, boolean replied) {
            return message[3] == 0;
        }
    },
    /** An array of texts, each with its length before it. Many commands may be under way. */
    REDIS {
        @Override
        byte[] read(DataInputStream in) throws IOException {
            ByteArrayOutputStream command = new ByteArrayOutputStream();
            int words = length(in, command);
            for (int i = 0; i < words; i++) {
                int length = length(in, command);
                command.write(in.readNBytes(length + 2));
            }
            return command.toByteArray();
        }

        private int length(DataInputStream in, ByteArrayOutputStream command) throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0) {
                    throw new EOFException();
                }
                line.write(next);
            }
            line.write('\n');
            command.write(line.toByteArray());
            return Integer.parseInt(line.toString(US_ASCII).substring(1).trim());
        }

        @Override
        boolean beginsRoundTrip(byte[] message, boolean replied) {
            return replied;
        }
    };

    byte[] readFirst(DataInputStream in) throws IOException {
        return read(in);
    }

    abstract byte[] read(DataInputStream in) throws IOException;

    /**
     * Returns whether a round trip begins with this message; {@code replied} is whether the server has replied since
     * the last message.
     */
    abstract boolean beginsRoundTrip(byte[] message, boolean replied);
}

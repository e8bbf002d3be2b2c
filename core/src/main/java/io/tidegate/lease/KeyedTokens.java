package io.tidegate.lease;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/** Tokens that contain their fence and cannot be guessed. Thread-safe. */
final class KeyedTokens {
    /*
     * A token is the fence, a dot, and a hash of the domain's number and the fence under a secret key. The hash is
     * SipHash-2-4 (Aumasson and Bernstein, 2012): without the key it cannot be told from random numbers, however many
     * tokens of other fences and domains are known. Its 64 bits are enough, because each guess takes a call of the
     * store. A random number for each token would do as well, but costs a system call or a lock.
     *
     * SipHash has four words of state. It mixes in each word of the message by two rounds, here the two words and the
     * length, and makes the hash by four more rounds. That is five times two rounds, hence the loop over pairs.
     */
    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private static final int DIGITS = 16;
    private static final long LENGTH = 16L << 56; // of the message, in bytes

    private final long key0;
    private final long key1;

    KeyedTokens(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    static KeyedTokens withRandomKey() {
        SecureRandom random = new SecureRandom();
        return new KeyedTokens(random.nextLong(), random.nextLong());
    }

    /** Returns the token of a domain's fence, which must be positive. */
    String next(long domain, long fence) {
        int dot = decimals(fence);
        byte[] token = new byte[dot + 1 + DIGITS];
        writeDecimals(fence, token, dot);
        token[dot] = '.';
        long hash = hash(domain, fence);
        EIGHT_BYTES.set(token, dot + 1, digits(hash >>> 32));
        EIGHT_BYTES.set(token, dot + 1 + DIGITS / 2, digits(hash & 0xFFFFFFFFL));
        return new String(token, ISO_8859_1);
    }

    private long hash(long domain, long fence) {
        long v0 = key0 ^ 0x736f6d6570736575L;
        long v1 = key1 ^ 0x646f72616e646f6dL;
        long v2 = key0 ^ 0x6c7967656e657261L;
        long v3 = key1 ^ 0x7465646279746573L;
        for (int pair = 0; pair < 5; pair++) {
            long word = pair == 0 ? domain : pair == 1 ? fence : pair == 2 ? LENGTH : 0;
            v3 ^= word;
            for (int round = 0; round < 2; round++) {
                v0 += v1;
                v2 += v3;
                v1 = Long.rotateLeft(v1, 13) ^ v0;
                v3 = Long.rotateLeft(v3, 16) ^ v2;
                v0 = Long.rotateLeft(v0, 32);
                v2 += v1;
                v0 += v3;
                v1 = Long.rotateLeft(v1, 17) ^ v2;
                v3 = Long.rotateLeft(v3, 21) ^ v0;
                v2 = Long.rotateLeft(v2, 32);
            }
            v0 ^= word;
            if (pair == 2) {
                v2 ^= 0xff;
            }
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }

    /*
     * Returns 32 bits as eight hexadecimal digits: spreads them to four bits in each byte, and then makes characters of
     * all bytes at once.
     */
    private static long digits(long bits) {
        long spread = (bits | bits << 16) & 0x0000FFFF0000FFFFL;
        spread = (spread | spread << 8) & 0x00FF00FF00FF00FFL;
        spread = (spread | spread << 4) & 0x0F0F0F0F0F0F0F0FL;
        long oneIfLetter = (spread + 0x0606060606060606L) >>> 4 & 0x0101010101010101L;
        return spread + 0x3030303030303030L + oneIfLetter * ('a' - '9' - 1);
    }

    private static int decimals(long number) {
        int decimals = 1;
        for (long bound = 10; number >= bound && decimals < 19; bound *= 10) {
            decimals++;
        }
        return decimals;
    }

    private static void writeDecimals(long number, byte[] to, int end) {
        long rest = number;
        for (int i = end - 1; i >= 0; i--) {
            long tenth = rest / 10;
            to[i] = (byte) ('0' + (rest - tenth * 10));
            rest = tenth;
        }
    }
}

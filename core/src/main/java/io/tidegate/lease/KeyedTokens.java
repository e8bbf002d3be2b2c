package io.tidegate.lease;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.security.SecureRandom;

/** Tokens that contain their fence and cannot be guessed. Thread-safe. */
final class KeyedTokens {
    /*
     * A token is the fence, a dot, and a hash of the domain's number and the fence under a secret key. The hash is SipHash-2-4
     * with 128 bits of output (Aumasson and Bernstein, 2012): who does not know the key cannot tell it from random numbers,
     * however many tokens of other fences and domains he has seen. As no two acquisitions of a store have the same number and
     * fence, no token is for two. A random number for each token would do as well, and costs a system call or a lock.
     *
     * SipHash has four words of state. It takes in a word of the message by two rounds, here the two words and the length, and
     * gives a half of the hash after four more. All of that are seven times two rounds, hence the loop over pairs.
     */
    private static final byte[] DIGITS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".getBytes(ISO_8859_1);

    private static final int BITS_OF_A_DIGIT = 6;
    private static final int DIGITS_OF_A_WORD = 11;
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

    /** The token of a domain's fence, which is positive. */
    String next(long domain, long fence) {
        int dot = decimals(fence);
        byte[] token = new byte[dot + 1 + 2 * DIGITS_OF_A_WORD];
        writeDecimals(fence, token, dot);
        token[dot] = '.';
        writeHash(domain, fence, token, dot + 1);
        return new String(token, ISO_8859_1);
    }

    private void writeHash(long domain, long fence, byte[] to, int start) {
        long v0 = key0 ^ 0x736f6d6570736575L;
        long v1 = key1 ^ 0x646f72616e646f6dL ^ 0xee;
        long v2 = key0 ^ 0x6c7967656e657261L;
        long v3 = key1 ^ 0x7465646279746573L;
        for (int pair = 0; pair < 7; pair++) {
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
                v2 ^= 0xee;
            } else if (pair == 4) {
                writeWord(v0 ^ v1 ^ v2 ^ v3, to, start);
                v1 ^= 0xdd;
            }
        }
        writeWord(v0 ^ v1 ^ v2 ^ v3, to, start + DIGITS_OF_A_WORD);
    }

    private static void writeWord(long word, byte[] to, int start) {
        for (int i = 0; i < DIGITS_OF_A_WORD; i++) {
            to[start + i] = DIGITS[(int) (word >>> (i * BITS_OF_A_DIGIT)) & 63];
        }
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

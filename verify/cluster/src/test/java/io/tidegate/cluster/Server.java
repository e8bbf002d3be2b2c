package io.tidegate.cluster;

import java.io.IOException;

/** A real server of one's own. */
interface Server extends AutoCloseable {
    int port();

    /** As if its machine had dropped it: nothing is told and nothing tidied up. Then starts on what is there, on the same port. */
    void killAndStart() throws IOException;

    void createStore(String store, Twin twin);

    void dropStore(String store);

    @Override
    void close() throws IOException;
}

package io.tidegate.processes;

import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.SucceedResult;
import io.tidegate.testkit.LeaseHistory;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * A worker's record. Each line is in the file before the worker goes on, so the line stays when the process is killed.
 */
final class Records implements Closeable {
    private final Order order;
    private final OutputStream calls;
    private final OutputStream sideLeases;
    private final OutputStream booked;
    private final LeaseHistory history;

    Records(Order order) throws IOException {
        this.order = order;
        this.calls = new FileOutputStream(order.history().toFile());
        this.sideLeases = new FileOutputStream(order.recordsOf(Order.SIDE).toFile());
        this.booked = new FileOutputStream(order.recordsOf(Order.BOOKED).toFile());
        this.history = new LeaseHistory(order.owner(), System::nanoTime, line -> Worker.append(calls, line));
    }

    SharedWorkLease recording(SharedWorkLease lease) {
        return history.recording(lease);
    }

    void noteSide(String line) {
        Worker.append(sideLeases, line);
    }

    /** Books a success and its entry in one transaction. The success is recorded like any other. */
    SucceedResult book(Client client, Books.Entry entry, String token, Books.Step step) {
        Books books = client.books().orElseThrow();
        SharedWorkLease inTransaction = new ClientLease(order, client) {
            @Override
            public SucceedResult succeed(String domainId, String itsToken) {
                return books.book(entry, step);
            }
        };
        SucceedResult answer = recording(inTransaction).succeed(entry.domainId(), token);
        Worker.append(booked, entry.line());
        return answer;
    }

    @Override
    public void close() throws IOException {
        calls.close();
        sideLeases.close();
        booked.close();
    }
}

package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.bulkhead.PermitLifetime;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClientAdmissionTest extends ClientTest {
    @Test
    @DisplayName("RB-21 RB-4 without the capability, or with another bulkhead's, nothing runs and only the log changes")
    void submit_withoutCapability_isRefused() {
        RemoteBulkhead bulkhead = bulkhead(1);
        Door door = door(bulkhead);
        Door other = door(1);
        List<String> ran = new ArrayList<>();

        CompletableFuture<String> none = door.client()
                .submit(null, "none", () -> CompletableFuture.completedFuture("ran " + ran.add("none")))
                .toCompletableFuture();
        CompletableFuture<String> wrong = door.client()
                .submit(other.capability(), "wrong", () -> CompletableFuture.completedFuture("ran " + ran.add("wrong")))
                .toCompletableFuture();

        for (CompletableFuture<String> refused : List.of(none, wrong)) {
            BulkheadException refusal = refusalOf(refused);
            assertThat(refusal.error()).isEqualTo(new BulkheadError.RemoteCapRequired());
            assertThat(refusal.code()).isEqualTo("RB_ERR_NO_REMOTECAP");
            assertThat(refusal.retryAfterMs()).as("waiting cannot help").isEmpty();
        }
        assertThat(ran).isEmpty();
        assertThat(codes(bulkhead))
                .containsExactly(BulkheadEventCode.RB_REQUEST_REJECTED, BulkheadEventCode.RB_REQUEST_REJECTED);
    }

    @Test
    @DisplayName("RB-21 the capability is given out once, and nobody can make one")
    void takeCapability_again_throws() {
        Door door = door(1);

        assertThatThrownBy(door.client()::takeCapability).isInstanceOf(IllegalStateException.class);

        assertThat(RemoteCapability.class.getConstructors()).isEmpty();
        assertThat(RemoteCapability.class.getModifiers()).matches(Modifier::isFinal, "final");
        assertThat(door.submit("a", CompletableFuture.completedFuture("done"))).isCompletedWithValue("done");
    }

    @Test
    @DisplayName("RB-21 RB-3 misuse is thrown and changes nothing, capability or not")
    void submit_misuse_throws() {
        Door door = door(1);
        RemoteBulkheadClient client = door.client();

        assertThatThrownBy(() -> client.submit(door.capability(), null, CompletableFuture::new))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> client.submit(door.capability(), "a", null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> client.submit(door.capability(), " ", CompletableFuture::new))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> client.submit(null, "", CompletableFuture::new))
                .isInstanceOf(IllegalArgumentException.class);

        assertThat(door.bulkhead().events()).isEmpty();
    }

    @Test
    @DisplayName("RB-21 AB-6 admitted at once, the supplier runs on the caller's thread before submit returns")
    void submit_room_runsOnCaller() {
        Door door = Door.to(builder(bulkhead(1))
                .executor(task -> {
                    throw new AssertionError("needs no executor");
                })
                .build());
        AtomicReference<Thread> ranOn = new AtomicReference<>();
        CompletableFuture<String> operation = new CompletableFuture<>();

        CompletableFuture<String> returned = door.submit("a", () -> {
            ranOn.set(Thread.currentThread());
            return operation;
        });

        assertThat(ranOn).hasValue(Thread.currentThread());
        assertThat(returned).isNotDone();
        assertThat(door.inFlight()).isEqualTo(1);
        operation.complete("done");
        assertThat(returned).isCompletedWithValue("done");
        assertThat(time.scheduled()).as("timers").isZero();
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("RB-21 AB-9 an operation that has already succeeded is returned itself; its latency is told")
    void submit_operationSucceeded_comesBackAsItIs(PermitLifetime lifetime) {
        Door door = door(1, lifetime);
        CompletableFuture<String> operation = new CompletableFuture<>();

        CompletableFuture<String> returned = door.submit("a", () -> {
            time.pass(7);
            operation.complete("done");
            return operation;
        });

        assertThat(returned).isSameAs(operation);
        assertThat(door.inFlight()).isZero();
        assertThat(door.bulkhead().latencySamples()).containsExactly(new ForegroundLatencySample(1, 7));
        assertThat(door.bulkhead().events())
                .extracting(BulkheadEvent::eventCode)
                .containsExactly(
                        BulkheadEventCode.RB_PERMIT_ACQUIRED,
                        BulkheadEventCode.RB_LATENCY_REPORT,
                        BulkheadEventCode.RB_PERMIT_RELEASED);
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("RB-21 AB-9 an operation that has already failed fails a future of the request's own")
    void submit_operationFailed_failsReturned(PermitLifetime lifetime) {
        Door door = door(1, lifetime);
        IllegalStateException error = new IllegalStateException("no");

        CompletableFuture<String> returned = door.submit("a", CompletableFuture.failedFuture(error));

        assertThat(returned.handle((value, thrown) -> thrown).join()).isSameAs(error);
        assertThat(door.inFlight()).isZero();
    }

    @Test
    @DisplayName("RB-21 a waiting request gets the permit of an operation that has already succeeded")
    void submit_operationSucceededWhileOthersWait_nextHasItsTurn() {
        Door door = door(1);
        CompletableFuture<String> second = new CompletableFuture<>();

        CompletableFuture<String> first = door.submit("a", () -> {
            door.submit("b", CompletableFuture.completedFuture("second")).thenAccept(second::complete);
            assertThat(door.waiting()).isEqualTo(1);
            return CompletableFuture.completedFuture("first");
        });

        assertThat(first).isCompletedWithValue("first");
        assertThat(second).isCompletedWithValue("second");
    }

    @Test
    @DisplayName("RB-21 RB-6 under the reject policy a full bulkhead refuses at once, with code and retry-after")
    void submit_fullAndRejecting_isRefused() {
        RemoteBulkhead bulkhead = bulkhead(2, BackpressurePolicy.reject());
        Door door = door(bulkhead);
        CompletableFuture<String> first = door.occupy("a");
        CompletableFuture<String> second = door.occupy("b");

        BulkheadException refusal = refusalOf(door.submit("c", CompletableFuture.completedFuture("never")));

        assertThat(refusal.error()).isEqualTo(new BulkheadError.AtCapacity(2, 2));
        assertThat(refusal.retryAfterMs()).hasValue(bulkhead.p99TargetMs());
        assertThat(refusal.getStackTrace()).isEmpty();
        first.complete("done");
        second.complete("done");
    }

    @Test
    @DisplayName("RB-21 retry-after goes by the latency seen, once there is one")
    void submit_refusedAfterLatency_retryAfterFollowsIt() {
        Door door = door(bulkhead(1, BackpressurePolicy.reject()));
        CompletableFuture<String> slow = door.occupy("slow");
        time.pass(700);
        slow.complete("done");
        CompletableFuture<String> holder = door.occupy("holder");

        BulkheadException refusal = refusalOf(door.submit("c", CompletableFuture.completedFuture("never")));

        assertThat(refusal.retryAfterMs()).hasValue(700);
        holder.complete("done");
    }

    @Test
    @DisplayName("RB-21 the end of a refused stage changes nothing")
    void refused_endedByCaller_changesNothing() {
        Door door = door(bulkhead(1, BackpressurePolicy.reject()));
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> refused = door.submit("c", CompletableFuture.completedFuture("never"));
        CompletableFuture<String> other = door.submit("d", CompletableFuture.completedFuture("never"));

        refused.obtrudeValue("mine");

        assertThat(refusalOf(other).code()).isEqualTo("RB_ERR_AT_CAPACITY");
        assertThat(door.inFlight()).isEqualTo(1);
        holder.complete("done");
    }

    @Test
    @DisplayName("RB-21 two clients of one bulkhead share its cap and its queue")
    void submit_twoClients_shareTheBulkhead() {
        RemoteBulkhead bulkhead = bulkhead(1);
        Door one = door(bulkhead);
        Door two = new Door(builder(bulkhead).build(), one.capability());
        CompletableFuture<String> holder = one.occupy("holder");

        CompletableFuture<String> waits = two.submit("waits", CompletableFuture.completedFuture("done"));
        assertThat(waits).isNotDone();
        holder.complete("done");

        assertThat(waits).isCompletedWithValue("done");
        assertThatThrownBy(two.client()::takeCapability).isInstanceOf(IllegalStateException.class);
    }

    @Test
    @DisplayName("RB-21 misuse of the builder is refused at once")
    void builder_misuse_throws() {
        RemoteBulkhead strange = (RemoteBulkhead) Proxy.newProxyInstance(
                RemoteBulkhead.class.getClassLoader(),
                new Class<?>[] {RemoteBulkhead.class},
                (proxy, method, args) -> method.getReturnType() == String.class ? "strange" : null);
        RemoteBulkheadClient.Builder builder = builder(bulkhead(1));

        assertThatThrownBy(() -> RemoteBulkheadClient.of(strange)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RemoteBulkheadClient.of(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.executor(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.scheduler(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.clock(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> builder.permitLifetime(null)).isInstanceOf(NullPointerException.class);
        assertThat(builder.build())
                .hasToString("RemoteBulkheadClient(RemoteBulkhead(remote-bulkhead, 0 of 1 in flight, 0 waiting))");
    }
}

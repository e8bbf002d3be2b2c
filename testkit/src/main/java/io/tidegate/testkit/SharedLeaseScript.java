package io.tidegate.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.SharedWorkLease.BatchAnswer;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SharedWorkLease.Offer;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TakeNextResult;
import io.tidegate.lease.TokenMismatchException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One random script of several owners and names in which time passes, played on leases and on the reference. All
 * answers are compared; pending domains are also compared with what the leases themselves show, and with a plain count
 * of time.
 */
final class SharedLeaseScript {
    /*
     * Tokens, fences and dates differ between the two sides. Acquisitions are numbered, and an answer is compared with
     * its token and fence replaced by the number. A date of the reference, where no two operations happen at the same
     * time, must always stand for the same date of the other side.
     *
     * Time passes in steps of four hours, and leases last for two and a half steps or many more. So no lease ends
     * within an hour of another step, and the time that the script itself takes does not matter.
     */
    private static final int STEPS = 150;
    private static final Duration STEP = Duration.ofHours(4);
    private static final Duration BRIEF = Duration.ofHours(10);
    private static final Duration LASTING = Duration.ofHours(102);
    private static final int[] STEPS_OF_TIME = {1, 1, 2, 3, 3, 26};
    private static final String[] DOMAINS = {"a", "A", "a ", "\uFFFD", "\ud83d\ude80"};
    private static final long[] EDGES = {Long.MIN_VALUE, -1, 1L << 53, (1L << 53) + 1, Long.MAX_VALUE};

    /** Makes the leases that are tested. */
    @FunctionalInterface
    interface Leases {
        SharedWorkLease lease(String name, int maxRetries, String owner, Duration leaseDuration);
    }

    /** One owner, on both sides. */
    private record Owner(SharedWorkLease subject, SharedWorkLease reference) {}

    /** An acquisition on both sides. */
    private record Grant(String subject, String reference, long subjectFence, long referenceFence) {}

    /** A domain, and what the answers have shown of it. */
    private static final class Domain {
        final String name;
        final String id;
        final List<Grant> grants = new ArrayList<>();
        Duration until = Duration.ZERO;

        Domain(String name, String id) {
            this.name = name;
            this.id = id;
        }

        String numberOf(Function<Grant, ?> which, Object value) {
            return grants.stream()
                    .filter(grant -> which.apply(grant).equals(value))
                    .map(grant -> "#" + grants.indexOf(grant))
                    .findFirst()
                    .orElse("an unknown one");
        }

        @Override
        public String toString() {
            return name + "/" + id;
        }
    }

    private final long seed;
    private final Random random;
    private final Leases leases;
    private final Consumer<Duration> pass;
    private final ManualClock clock = new ManualClock();
    private final Map<String, List<Owner>> owners = new HashMap<>();
    private final List<Domain> domains = new ArrayList<>();
    private final Map<String, Long> dates = new HashMap<>();
    private final List<String> story = new ArrayList<>();
    private Duration passed = Duration.ZERO;

    SharedLeaseScript(long seed, Leases leases, Consumer<Duration> pass) {
        this.seed = seed;
        this.random = new Random(seed);
        this.leases = leases;
        this.pass = pass;
        InMemorySharedLease.Store store = new InMemorySharedLease.Store(clock);
        for (String name : List.of("script " + seed, "Script " + seed)) {
            owners.put(
                    name,
                    List.of(
                            owner(store, name, 2, "we", BRIEF),
                            owner(store, name, 1, "they", LASTING),
                            owner(store, name, 0, "third", BRIEF)));
            for (String id : DOMAINS) {
                domains.add(new Domain(name, id));
            }
        }
    }

    private Owner owner(
            InMemorySharedLease.Store store, String name, int maxRetries, String owner, Duration leaseDuration) {
        return new Owner(
                leases.lease(name, maxRetries, owner, leaseDuration),
                store.lease(name, maxRetries, owner, leaseDuration));
    }

    void play() {
        try {
            for (int i = 0; i < STEPS; i++) {
                clock.advance(Duration.ofMillis(1));
                Domain domain = domains.get(random.nextInt(domains.size()));
                step(domain, anyOwner(domain.name));
                compareDomain(domain);
                if (i % 3 == 0) {
                    comparePending(domain.name);
                    compareDomains(domain.name);
                }
            }
            owners.keySet().forEach(this::workOff);
        } catch (AssertionError | RuntimeException failed) {
            throw new AssertionError(
                    "seed " + seed + ", after\n  " + String.join("\n  ", story) + "\n" + failed.getMessage(), failed);
        }
    }

    private void step(Domain domain, Owner owner) {
        int die = random.nextInt(100);
        if (die < 30) {
            tryAcquire(domain, owner);
        } else if (die < 36) {
            tryAcquireAll(domain.name, owner);
        } else if (die < 43) {
            succeed(domain, owner);
        } else if (die < 50) {
            succeedAndTakeNext(domain, owner);
        } else if (die < 54) {
            finishAll(domain.name, owner, true);
        } else if (die < 68) {
            fail(domain, owner);
        } else if (die < 73) {
            renew(domain, owner);
        } else if (die < 77) {
            finishAll(domain.name, owner, false);
        } else if (die < 84) {
            release(domain, owner);
        } else if (die < 86) {
            forceRelease(domain, owner);
        } else if (die < 90) {
            replay(domain, owner);
        } else if (die < 92) {
            forget(domain, owner);
        } else if (die < 94) {
            delete(domain, owner);
        } else {
            letTimePass();
        }
    }

    private void letTimePass() {
        int steps = STEPS_OF_TIME[random.nextInt(STEPS_OF_TIME.length)];
        Duration time = STEP.multipliedBy(steps);
        story.add(time + " pass");
        passed = passed.plus(time);
        clock.advance(time);
        pass.accept(time);
    }

    private void tryAcquire(Domain domain, Owner owner) {
        long offset = offset(domain);
        note(domain, owner, "tryAcquire " + offset);
        compareAcquired(
                domain,
                owner,
                answer(() -> owner.subject.tryAcquire(domain.id, offset)),
                answer(() -> owner.reference.tryAcquire(domain.id, offset)));
    }

    private void tryAcquireAll(String name, Owner owner) {
        List<Domain> asked = someDomains(name);
        List<Offer> offers = asked.stream()
                .map(domain -> new Offer(domain.id, offset(domain)))
                .toList();
        story.add(name + ", " + owner.subject.owner() + ": tryAcquireAll " + offers);
        List<BatchAnswer<AcquireResult>> subject = owner.subject.tryAcquireAll(offers);
        List<BatchAnswer<AcquireResult>> reference = owner.reference.tryAcquireAll(offers);
        assertEquals(reference.size(), subject.size());
        for (int i = 0; i < offers.size(); i++) {
            compareAcquired(asked.get(i), owner, answerOf(subject.get(i)), answerOf(reference.get(i)));
        }
    }

    private void compareAcquired(Domain domain, Owner owner, Object subject, Object reference) {
        if (subject instanceof AcquireResult.Acquired one && reference instanceof AcquireResult.Acquired other) {
            for (Grant grant : domain.grants) {
                assertTrue(one.fence() > grant.subjectFence, "fence: " + one.fence() + " after " + grant.subjectFence);
                assertTrue(!one.token().equals(grant.subject), "the same token again");
            }
            domain.grants.add(new Grant(one.token(), other.token(), one.fence(), other.fence()));
            domain.until = passed.plus(owner.subject.leaseDuration());
        }
        assertEquals(
                described(reference, domain, Grant::reference, Grant::referenceFence),
                described(subject, domain, Grant::subject, Grant::subjectFence));
    }

    private static String described(
            Object answer, Domain domain, Function<Grant, String> tokens, Function<Grant, Long> fences) {
        if (answer instanceof AcquireResult.Acquired acquired) {
            return acquired.code() + domain.numberOf(tokens, acquired.token()) + " retry " + acquired.retryCount();
        }
        if (answer instanceof AcquireResult.AlreadyAcquired already) {
            return already.code() + domain.numberOf(tokens, already.token()) + " fence of "
                    + domain.numberOf(fences, already.fence()) + " retry " + already.retryCount();
        }
        if (answer instanceof AcquireResult.HeldElsewhere held) {
            return held.code() + " by " + held.owner();
        }
        return String.valueOf(answer);
    }

    private void succeed(Domain domain, Owner owner) {
        Grant grant = grant(domain);
        note(domain, owner, "succeed " + domain.grants.indexOf(grant));
        assertEquals(
                answer(() -> owner.reference.succeed(domain.id, grant.reference)),
                answer(() -> owner.subject.succeed(domain.id, grant.subject)));
    }

    private void succeedAndTakeNext(Domain domain, Owner owner) {
        Grant grant = grant(domain);
        note(domain, owner, "succeedAndTakeNext " + domain.grants.indexOf(grant));
        Object reference = answer(() -> owner.reference.succeedAndTakeNext(domain.id, grant.reference));
        Object subject = answer(() -> owner.subject.succeedAndTakeNext(domain.id, grant.subject));
        if (reference instanceof TakeNextResult expected && subject instanceof TakeNextResult given) {
            assertEquals(expected.succeeded(), given.succeeded());
            compareAcquired(domain, owner, orNone(given), orNone(expected));
        } else {
            assertEquals(reference, subject);
        }
    }

    private static Object orNone(TakeNextResult result) {
        return result.next().isPresent() ? result.next().get() : "none";
    }

    private void release(Domain domain, Owner owner) {
        Grant grant = grant(domain);
        note(domain, owner, "release " + domain.grants.indexOf(grant));
        assertEquals(
                answer(() -> {
                    owner.reference.release(domain.id, grant.reference);
                    return "RELEASED";
                }),
                answer(() -> {
                    owner.subject.release(domain.id, grant.subject);
                    return "RELEASED";
                }));
    }

    private void forceRelease(Domain domain, Owner owner) {
        // Two domains may have the same fences.
        Grant any = grant(domain);
        Grant grant = domain.grants.contains(any) ? any : new Grant("none", "none", 0, 0);
        note(domain, owner, "forceRelease " + domain.grants.indexOf(grant));
        assertEquals(
                owner.reference.forceRelease(domain.id, grant.referenceFence),
                owner.subject.forceRelease(domain.id, grant.subjectFence));
    }

    private void fail(Domain domain, Owner owner) {
        Grant grant = grant(domain);
        Failure failure = new Failure(random.nextInt(4), random.nextInt(5) == 0, "reason " + story.size());
        int before = retries(owner, domain);
        note(domain, owner, "fail " + domain.grants.indexOf(grant) + " " + failure);
        Object answer = answer(() -> owner.reference.fail(domain.id, grant.reference, failure));
        assertEquals(answer, answer(() -> owner.subject.fail(domain.id, grant.subject, failure)));
        if (answer instanceof FailResult.RetryScheduled && retries(owner, domain) > before) {
            domain.until = passed.plus(owner.subject.leaseDuration());
        }
    }

    private static int retries(Owner owner, Domain domain) {
        return owner.subject
                .inspect(domain.id)
                .flatMap(DomainSnapshot::lease)
                .map(LeaseRecord::retryCount)
                .orElse(0);
    }

    private void renew(Domain domain, Owner owner) {
        Grant grant = grant(domain);
        note(domain, owner, "renew " + domain.grants.indexOf(grant));
        compareRenewed(
                domain,
                owner,
                answer(() -> owner.subject.renew(domain.id, grant.subject)),
                answer(() -> owner.reference.renew(domain.id, grant.reference)));
    }

    private void compareRenewed(Domain domain, Owner owner, Object subject, Object reference) {
        if (subject instanceof Long until && reference instanceof Long) {
            assertTrue(until > 0, "not prolonged, though nobody else is there");
            domain.until = passed.plus(owner.subject.leaseDuration());
        } else {
            assertEquals(reference, subject);
        }
    }

    private void finishAll(String name, Owner owner, boolean succeed) {
        List<Domain> asked = someDomains(name);
        List<Grant> grants = asked.stream().map(this::grant).toList();
        List<Finish> subject = finishes(asked, grants, Grant::subject);
        List<Finish> reference = finishes(asked, grants, Grant::reference);
        story.add(name + ", " + owner.subject.owner() + ": " + (succeed ? "succeedAll " : "renewAll ") + subject);
        if (succeed) {
            List<BatchAnswer<SucceedResult>> answers = owner.subject.succeedAll(subject);
            assertEquals(answersOf(owner.reference.succeedAll(reference)), answersOf(answers));
        } else {
            List<Object> answers = answersOf(owner.subject.renewAll(subject));
            List<Object> expected = answersOf(owner.reference.renewAll(reference));
            assertEquals(expected.size(), answers.size());
            for (int i = 0; i < answers.size(); i++) {
                compareRenewed(asked.get(i), owner, answers.get(i), expected.get(i));
            }
        }
    }

    private static List<Finish> finishes(List<Domain> asked, List<Grant> grants, Function<Grant, String> token) {
        return IntStream.range(0, asked.size())
                .mapToObj(i -> new Finish(asked.get(i).id, token.apply(grants.get(i))))
                .toList();
    }

    private void replay(Domain domain, Owner owner) {
        List<FailedWork> failed = owner.reference.failedWork(domain.id, 100);
        long offset = failed.isEmpty()
                ? offset(domain)
                : failed.get(random.nextInt(failed.size())).offset();
        note(domain, owner, "replay " + offset);
        assertEquals(owner.reference.replay(domain.id, offset), owner.subject.replay(domain.id, offset));
    }

    private void forget(Domain domain, Owner owner) {
        long offset = offset(domain);
        if (random.nextInt(4) == 0) {
            note(domain, owner, "forgetAll " + offset);
            assertEquals(owner.reference.forgetAll(offset), owner.subject.forgetAll(offset));
        } else {
            note(domain, owner, "forget " + offset);
            owner.subject.forget(domain.id, offset);
            owner.reference.forget(domain.id, offset);
        }
    }

    private void delete(Domain domain, Owner owner) {
        if (random.nextBoolean()) {
            story.add(domain.name + ": deleteIdle");
            assertEquals(owner.reference.deleteIdle(Duration.ZERO), owner.subject.deleteIdle(Duration.ZERO));
        } else {
            story.add(domain.name + ": deleteFailed");
            assertEquals(owner.reference.deleteFailed(Duration.ZERO), owner.subject.deleteFailed(Duration.ZERO));
        }
    }

    private void compareDomain(Domain domain) {
        Owner owner = anyOwner(domain.name);
        DomainSnapshot expected = owner.reference.inspect(domain.id).orElse(null);
        DomainSnapshot seen = owner.subject.inspect(domain.id).orElse(null);
        if (expected == null || seen == null) {
            assertEquals(expected, seen);
            return;
        }
        assertEquals(
                described(expected, domain, Grant::reference, Grant::referenceFence),
                described(seen, domain, Grant::subject, Grant::subjectFence));
        expected.lease()
                .ifPresent(lease -> compareDate(
                        "acquired",
                        domain,
                        lease.currentOffset(),
                        lease.acquiredAtMillis(),
                        seen.lease().orElseThrow().acquiredAtMillis()));
        if (random.nextInt(4) == 0) {
            compareFailed(domain, owner);
            long offset = offset(domain);
            int limit = 1 + random.nextInt(4);
            assertEquals(
                    owner.reference.backlogBehind(domain.id, offset, limit),
                    owner.subject.backlogBehind(domain.id, offset, limit));
        }
    }

    private static String described(
            DomainSnapshot snapshot, Domain domain, Function<Grant, String> tokens, Function<Grant, Long> fences) {
        String lease = snapshot.lease()
                .map(held -> held.currentOffset() + " token "
                        + (held.token().isEmpty() ? "hidden" : domain.numberOf(tokens, held.token())) + " fence of "
                        + domain.numberOf(fences, held.fence()) + " retry " + held.retryCount())
                .orElse("none");
        return snapshot.domainId() + ", lease: " + lease + ", backlog: " + snapshot.backlog() + ", processed: "
                + snapshot.processedCount() + ", failed: " + snapshot.failedCount();
    }

    private void compareFailed(Domain domain, Owner owner) {
        int limit = 1 + random.nextInt(10);
        List<FailedWork> expected = owner.reference.failedWork(domain.id, limit);
        List<FailedWork> seen = owner.subject.failedWork(domain.id, limit);
        assertEquals(
                expected.stream().map(SharedLeaseScript::described).toList(),
                seen.stream().map(SharedLeaseScript::described).toList());
        for (int i = 0; i < expected.size(); i++) {
            FailedWork work = expected.get(i);
            compareDate(
                    "failed",
                    domain,
                    work.offset(),
                    work.failedAtMillis(),
                    seen.get(i).failedAtMillis());
        }
    }

    private static String described(FailedWork failed) {
        return failed.offset() + " retry " + failed.retryCount() + " " + failed.reason();
    }

    private void compareDate(String what, Domain domain, long offset, long reference, long subject) {
        Long before = dates.putIfAbsent(domain + " " + offset + " " + what + " " + reference, subject);
        assertEquals(before == null ? subject : before, subject, "a date has changed");
    }

    /** Compares the domains with work and without an owner. */
    private void comparePending(String name) {
        Owner owner = anyOwner(name);
        List<String> expected = domainsOf(name)
                .filter(domain -> isPending(domain, owner.subject))
                .map(domain -> domain.id)
                .sorted((one, other) -> Arrays.compareUnsigned(one.getBytes(UTF_8), other.getBytes(UTF_8)))
                .toList();
        int limit = 1 + random.nextInt(DOMAINS.length + 1);
        assertEquals(expected, SharedWorkLeaseContract.pages(owner.subject, limit), "pending of " + name);
        assertEquals(expected, SharedWorkLeaseContract.pages(owner.reference, limit), "pending in the reference");
    }

    /** Compares everything that inspect shows. */
    private void compareDomains(String name) {
        Owner owner = anyOwner(name);
        int limit = 1 + random.nextInt(DOMAINS.length + 1);
        assertEquals(
                SharedWorkLeaseContract.domains(owner.reference, limit),
                SharedWorkLeaseContract.domains(owner.subject, limit),
                "domains of " + name);
        List<DomainSummary> listed = owner.subject.domains(DOMAINS.length, "");
        listed.forEach(domain -> WorkLeaseContract.assertAsInspected(owner.subject, domain));
        assertEquals(holders(owner.reference.domains(DOMAINS.length, "")), holders(listed));
    }

    private static List<String> holders(List<DomainSummary> domains) {
        return domains.stream()
                .flatMap(domain -> domain.lease().stream())
                .map(leased -> leased.holder().orElseThrow().owner())
                .toList();
    }

    private boolean isPending(Domain domain, SharedWorkLease lease) {
        return lease.inspect(domain.id)
                .map(seen -> seen.lease().isPresent()
                        ? domain.until.compareTo(passed) <= 0
                        : !seen.backlog().isEmpty())
                .orElse(false);
    }

    /** Lets an owner that knows only the pending domains do all that is left. */
    private void workOff(String name) {
        story.add(name + ": all owners die, and another one works off what is pending");
        pass.accept(LASTING.plus(STEP));
        SharedWorkLease last = leases.lease(name, Integer.MAX_VALUE, "last", LASTING);
        SharedWorkLeaseContract.workOff(last);
        domainsOf(name)
                .forEach(domain -> last.inspect(domain.id)
                        .ifPresent(seen -> assertTrue(
                                seen.lease().isEmpty() && seen.backlog().isEmpty(), () -> "out of reach: " + seen)));
    }

    // Choices

    private Owner anyOwner(String name) {
        List<Owner> all = owners.getOrDefault(name, List.of());
        return all.get(random.nextInt(all.size()));
    }

    private Stream<Domain> domainsOf(String name) {
        return domains.stream().filter(domain -> domain.name.equals(name));
    }

    private List<Domain> someDomains(String name) {
        List<Domain> all = domainsOf(name).toList();
        return IntStream.range(0, random.nextInt(5))
                .mapToObj(i -> all.get(random.nextInt(all.size())))
                .toList();
    }

    /** Mostly the leased offset or the head; otherwise another one that waits or one of a few. */
    private long offset(Domain domain) {
        DomainSnapshot known =
                anyOwner(domain.name).reference.inspect(domain.id).orElse(null);
        int die = random.nextInt(10);
        if (known != null && known.lease().isPresent() && die < 5) {
            return known.lease().get().currentOffset();
        }
        if (known != null && !known.backlog().isEmpty() && die < 8) {
            return known.backlog()
                    .get(die < 6 ? 0 : random.nextInt(known.backlog().size()));
        }
        return die == 9 ? EDGES[random.nextInt(EDGES.length)] : random.nextInt(12);
    }

    /**
     * Mostly the last grant of the domain; otherwise an old one, one of another domain, or one that was never given.
     */
    private Grant grant(Domain domain) {
        int die = random.nextInt(12);
        List<Grant> grants = die == 0 ? domains.get(random.nextInt(domains.size())).grants : domain.grants;
        if (grants.isEmpty() || die == 1) {
            return new Grant("made up", "made up", 0, 0);
        }
        return grants.get(die == 2 ? random.nextInt(grants.size()) : grants.size() - 1);
    }

    private void note(Domain domain, Owner owner, String what) {
        story.add(domain + ", " + owner.subject.owner() + ": " + what);
    }

    // Answers

    private static Object answer(Supplier<?> operation) {
        try {
            return operation.get();
        } catch (BacklogOrderingException
                | LeaseNotFoundException
                | TokenMismatchException
                | IllegalArgumentException refused) {
            return described(refused);
        }
    }

    private static Object answerOf(BatchAnswer<?> answer) {
        return answer.refusal().isPresent() ? described(answer.refusal().get()) : answer.orThrow();
    }

    private static String described(RuntimeException refusal) {
        return refusal instanceof BacklogOrderingException behind
                ? code(refusal) + " " + behind.domainId() + " " + behind.expected() + " " + behind.got()
                : code(refusal);
    }

    private static <R> List<Object> answersOf(List<BatchAnswer<R>> answers) {
        return answers.stream().map(answer -> answerOf(answer)).toList();
    }

    static String code(RuntimeException refusal) {
        if (refusal instanceof BacklogOrderingException) {
            return "BACKLOG_ORDERING";
        }
        return refusal instanceof LeaseNotFoundException
                ? "LEASE_NOT_FOUND"
                : refusal instanceof TokenMismatchException ? "TOKEN_MISMATCH" : "ILLEGAL_ARGUMENT";
    }
}

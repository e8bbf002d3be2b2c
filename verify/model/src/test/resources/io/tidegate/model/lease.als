/*
 * The work lease of one domain on an engine, WL-1 to WL-9 and WL-20 to WL-23, among workers that pause and crash and messages that are lost, late or
 * delivered twice. Domains share nothing, so one is enough.
 *
 * A step of the model is one operation of the store, or one step of a worker. What needs no step of its own:
 *  - a pause: no worker owes the model a step, so each may stop between any two, for however long;
 *  - a request for an offset that is late, lost or delivered twice: any worker may ask for any offset at any time, any number of times;
 *  - a finish that is late, lost or delivered twice: once sent it stays on the wire, and may arrive whenever, again and again, or never;
 *  - a grant's reply that is lost: a worker may or may not come to know the fence granted to it. A late reply is a pause.
 *
 * A token is all a worker shows when it finishes. Each fence has one, so fences stand for tokens where nothing else is said.
 */
module lease

open util/ordering[Fence] as fences
open util/ordering[Retry] as retries

sig Offset {}

sig Token {}

/** One acquisition, known by its number. There must be enough for every offset's first attempt and all its retries. */
sig Fence {
  token: one Token,
  var leased: set Offset,
  var owner: set Worker,
  var granted: Worker -> Offset -- history, for the properties only
}

/** The values of `retryCount`. */
sig Retry {}

/** A process with the name of an owner; after a crash it comes back under the same name and remembers nothing. */
sig Worker {
  var knows: set Fence,
  var succeeding: set Fence, -- requests on the wire
  var failing: Fence -> Retry -- the same, with the attempt that failed, which the store does not see
}

one sig Store {
  maxRetries: one Retry,
  var retry: lone Retry,
  var expired: lone Fence,
  var queued: set Offset,
  var behind: Offset -> Offset, -- who arrived later than whom, of those in the queue
  var processed: set Offset,
  var failed: set Offset
}

/** Something that work writes to. It refuses a fence smaller than one it has seen. */
one sig Resource {
  var seen: lone Fence,
  var writer: lone Worker
}

/** The store may do one thing other than the contract says, or nothing. */
abstract sig Change {}

one sig
  TokenShown, -- a stranger who asks for the leased offset is shown its token
  FenceKept, -- a take-over leaves token and fence as they were
  OldLeaseKept, -- a take-over leaves the old lease beside the new one
  TakeOverUncounted, -- a take-over does not count as a retry
  TokenUnchecked, -- a finish is applied to whatever is leased
  TokensRepeat, -- a token differs from the previous one only
  FailedQueued, -- a failed offset can be queued again
  TerminalUnchecked, -- an offset that has ended can be acquired again
  HeadUnchecked, -- an idle domain gives out any offset
  FailsNumbered -- a fail says which attempt it is about, and counts only for that one
extends Change {}

sig Changed in Change {}

fun held: set Offset { Fence.leased }

fun terminal: set Offset { Store.processed + Store.failed }

fun known: set Offset { held + terminal + Store.queued }

fun head: set Offset { { o: Store.queued | no Store.behind.o } }

fun nextFence: lone Fence { fences/min[Fence - granted.Offset.Worker] }

fun live: set Fence { leased.Offset }

/** A token that is not the domain's previous one: all that WL-5 checks. The default ones are never the same. */
fact tokens {
  TokensRepeat in Changed
    implies (all f: Fence - fences/last | f.token != f.(fences/next).token)
    else (all disj f, g: Fence | f.token != g.token)
}

-- What stays as it is.

pred sameQueue { queued' = queued and behind' = behind }

pred sameEnds { processed' = processed and failed' = failed }

pred sameLease { leased' = leased and owner' = owner and granted' = granted and retry' = retry and expired' = expired }

pred sameStore { sameQueue and sameEnds and sameLease }

pred sameResource { seen' = seen and writer' = writer }

pred sameWire { succeeding' = succeeding and failing' = failing }

pred sameWorkers { knows' = knows and sameWire }

-- What the store does. Every answer that grants a token may get lost.

pred grant[w: Worker, f: Fence, o: Offset, r: Retry] {
  one f
  leased' = (OldLeaseKept in Changed implies leased else none -> none) + f -> o
  owner' = (OldLeaseKept in Changed implies owner else none -> none) + f -> w
  granted' = granted + f -> w -> o
  retry' = Store -> r
  no expired'
  tell[w, f]
}

pred tell[w: Worker, f: Fence] {
  sameWire and sameResource
  knows' = knows or knows' = knows + w -> f
}

pred clearLease {
  no leased' and no owner' and no retry' and no expired'
  granted' = granted
}

/** An idle domain gives out its head, or any new offset if nothing is queued. */
pred acquires[w: Worker, o: Offset] {
  canAcquire[o]
  grant[w, nextFence, o, retries/first]
  queued' = queued - Store -> o
  behind' = behind - Store -> (o -> Offset + Offset -> o)
  sameEnds
}

pred canAcquire[o: Offset] {
  no live
  o not in terminal or TerminalUnchecked in Changed
  some Store.queued implies (o in head or HeadUnchecked in Changed)
}

pred canEnqueue[o: Offset] {
  some live
  o not in held + Store.queued
  o not in terminal or (FailedQueued in Changed and o in Store.failed)
}

pred enqueues[w: Worker, o: Offset] {
  canEnqueue[o]
  queued' = queued + Store -> o
  behind' = behind + Store -> (Store.queued -> o)
  sameEnds and sameLease and sameWorkers and sameResource
}

/** The owner asks again; its first answer may have been lost. */
pred asksAgain[w: Worker, o: Offset] {
  o in held
  w in (leased.o).owner or TokenShown in Changed
  all f: leased.o | tell[w, f]
  sameStore
}

/** Another owner asks for the leased offset after its time. */
pred takesOver[w: Worker, o: Offset] {
  canTakeOver[w, o]
  Store.retry != Store.maxRetries or TakeOverUncounted in Changed
  let f = FenceKept in Changed implies leased.o else nextFence,
      r = TakeOverUncounted in Changed implies Store.retry else Store.retry.(retries/next) | grant[w, f, o, r]
  sameQueue and sameEnds
}

/** The same when no retry is left: the asker is told that the offset has failed. */
pred givesUpOnTakeOver[w: Worker, o: Offset] {
  canTakeOver[w, o]
  Store.retry = Store.maxRetries and TakeOverUncounted not in Changed
  clearLease
  failed' = failed + Store -> o
  processed' = processed
  sameQueue and sameWorkers and sameResource
}

pred canTakeOver[w: Worker, o: Offset] {
  o in held
  some Store.expired
  w not in (leased.o).owner
}

/** Whether the store takes a finish with this fence's token for one of the live lease. */
pred fits[f: Fence] {
  some live
  f.token in live.token or TokenUnchecked in Changed
}

pred succeeds[w: Worker, f: Fence] {
  f in w.succeeding and fits[f]
  processed' = processed + Store -> held
  failed' = failed
  clearLease
  sameQueue and sameWorkers and sameResource
}

/** Whether the store counts a fail of this attempt. */
pred counts[f: Fence, r: Retry] {
  fits[f]
  FailsNumbered in Changed implies r = Store.retry
}

pred failsToRetry[w: Worker, f: Fence, r: Retry] {
  f -> r in w.failing and counts[f, r]
  Store.retry != Store.maxRetries
  retry' = Store -> Store.retry.(retries/next)
  leased' = leased and owner' = owner and granted' = granted and expired' = expired
  sameQueue and sameEnds and sameWorkers and sameResource
}

pred givesUp[w: Worker, f: Fence, r: Retry] {
  f -> r in w.failing and counts[f, r]
  Store.retry = Store.maxRetries
  failed' = failed + Store -> held
  processed' = processed
  clearLease
  sameQueue and sameWorkers and sameResource
}

pred expires {
  some live and no Store.expired
  expired' = Store -> live
  leased' = leased and owner' = owner and granted' = granted and retry' = retry
  sameQueue and sameEnds and sameWorkers and sameResource
}

pred renews[w: Worker, f: Fence] {
  f in w.knows and fits[f]
  some Store.expired and no expired'
  leased' = leased and owner' = owner and granted' = granted and retry' = retry
  sameQueue and sameEnds and sameWorkers and sameResource
}

-- What workers do.

pred crashes[w: Worker] {
  some w.knows
  knows' = knows - w -> Fence
  sameWire and sameStore and sameResource
}

pred sendsSucceed[w: Worker, f: Fence] {
  f in w.knows
  succeeding' = succeeding + w -> f
  knows' = knows and failing' = failing
  sameStore and sameResource
}

/** Of the attempt that runs, if the worker still has the lease; a worker that lost it may believe in any attempt. */
pred sendsFail[w: Worker, f: Fence, r: Retry] {
  f in w.knows
  f in live implies r = Store.retry
  failing' = failing + w -> f -> r
  knows' = knows and succeeding' = succeeding
  sameStore and sameResource
}

pred writes[w: Worker, f: Fence] {
  f in w.knows
  Resource.seen in f + fences/prevs[f]
  seen' = Resource -> f and writer' = Resource -> w
  sameStore and sameWorkers
}

/** Whatever is answered without a change: already processed or failed, held elsewhere, out of order, a mismatch, a repeated finish, a refused write. */
pred nothing { sameStore and sameWorkers and sameResource }

pred start {
  no leased and no owner and no granted and no knows and no succeeding and no failing
  no retry and no expired and no queued and no behind and no processed and no failed and no seen and no writer
}

pred step {
  nothing
  or expires
  or (some w: Worker | crashes[w])
  or (some w: Worker, o: Offset | asks[w, o])
  or (some w: Worker, f: Fence | renews[w, f] or sendsSucceed[w, f] or succeeds[w, f] or writes[w, f])
  or (some w: Worker, f: Fence, r: Retry | sendsFail[w, f, r] or failsToRetry[w, f, r] or givesUp[w, f, r])
}

pred asks[w: Worker, o: Offset] {
  acquires[w, o] or enqueues[w, o] or asksAgain[w, o] or takesOver[w, o] or givesUpOnTakeOver[w, o]
}

/** A store that does as the contract says. */
pred contract { changed[none] }

/** A store that does as the contract says, but for one thing or more. */
pred changed[c: Change] {
  Changed = c
  start
  always step
}

/** Nothing happens any more from some time on: keeps a story short. */
pred stops { eventually always nothing }

-- The properties, of a state or of a step, to hold always.

pred oneLease { lone leased }

/** An offset is in one place, and the queue is in one order. */
pred disjoint {
  no held & terminal and no held & Store.queued and no terminal & Store.queued
  no Store.processed & Store.failed
  Store.behind in Store.queued -> Store.queued
  no iden & ^(Store.behind)
  all disj a, b: Store.queued | a -> b in Store.behind or b -> a in Store.behind
}

/** Whoever arrives later than a queued offset is not leased before it. */
pred fifo {
  all disj a, b: Offset |
    a in Store.queued and b not in known implies (a not in Store.queued releases (b not in held or a not in Store.queued))
}

/** What has ended stays so, and is never leased again. */
pred terminalOnce {
  all o: Store.processed | after (o in Store.processed and o not in held)
  all o: Store.failed | after (o in Store.failed and o not in held)
}

/** Every new holder has a fence greater than all before. */
pred fenceRises {
  all f: Fence | some f.(granted' - granted) implies granted.Offset.Worker in fences/prevs[f]
}

/** Only the worker a lease was granted to finishes it, and only while it is granted. */
pred noStaleFinish {
  all w: Worker, f: Fence | finishes[w, f] implies f in live and w in f.owner
}

pred finishes[w: Worker, f: Fence] { succeeds[w, f] or some r: Retry | counted[w, f, r] }

pred ends[w: Worker, f: Fence] { succeeds[w, f] or some r: Retry | givesUp[w, f, r] }

/** A repeated finish is not applied twice. */
pred finishOnce {
  all w: Worker, f: Fence | ends[w, f] implies after always not ends[w, f]
}

/** An idle domain with a backlog has a head, and gives it to whoever asks. */
pred headCanBeTaken {
  no live and some Store.queued implies some o: head | canAcquire[o]
}

/** Over what the holder has written nobody else writes. */
pred noOverwrite {
  all w: Worker, f: Fence | writes[w, f] and some Resource.writer & live.owner and Resource.seen in live implies w in live.owner
}

/** Nor does anybody else ever write with the fence of what the resource has seen last. */
pred oneWriterPerFence {
  all w: Worker, f: Fence | writes[w, f] and Resource.seen = f implies Resource.writer = w
}

/** A failed attempt is counted once. */
pred attemptCountedOnce {
  all w: Worker, f: Fence, r: Retry | counted[w, f, r] implies after always not counted[w, f, r]
}

pred counted[w: Worker, f: Fence, r: Retry] { failsToRetry[w, f, r] or givesUp[w, f, r] }

/** The bound on fences bounds nothing: there is one whenever the store needs it. */
pred enoughFences {
  (some o: Offset | canAcquire[o]) or (some live and Store.retry != Store.maxRetries) implies some nextFence
}

-- Why the properties hold after any number of steps: what is true at the start and stays true with every step.

pred invariant {
  oneLease and disjoint
  lone owner and owner.Worker = live
  some live iff some Store.retry
  Store.retry in Store.maxRetries + retries/prevs[Store.maxRetries]
  Store.expired in live
  all f: Fence | lone f.granted
  all f: granted.Offset.Worker | fences/prevs[f] in granted.Offset.Worker
  all f: live | f.owner -> f.leased in f.granted and no granted.Offset.Worker & fences/nexts[f]
  all w: Worker | w.knows + w.succeeding + (w.failing).Retry in granted.Offset.w
  Resource.seen in granted.Offset.Worker
  Resource.writer = Resource.seen.granted.Offset
  all f: Resource.seen | one f.granted
}

/** Any step of a store that does as the contract says, from any state that satisfies the invariant. */
pred soundStep { no Changed and invariant and step }

-- Progress, and what it needs. No worker needs to finish anything.

/** A request arrives, whatever is answered. */
pred asked[w: Worker, o: Offset] {
  asks[w, o] or (nothing and not canAcquire[o] and not canEnqueue[o] and not canTakeOver[w, o])
}

pred oneOwnerAsks { all o: Offset | some w: Worker | always eventually asked[w, o] }

pred twoOwnersAsk { all o: Offset | some disj v, w: Worker | (always eventually asked[v, o]) and always eventually asked[w, o] }

/** Nobody renews for ever, and a lease that is not renewed expires. */
pred leasesExpire {
  eventually always (no w: Worker, f: Fence | renews[w, f])
  always eventually (no live or some Store.expired)
}

pred allEnd { all o: Offset | eventually o in terminal }

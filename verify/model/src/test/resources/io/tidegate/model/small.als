/*
 * What the build checks. The line above a command is the name of its test; `expect 0` means that none must be found, `expect 1` that one must: a
 * counterexample to a check, an example for a run.
 */
module small

open lease

-- Safety, after any number of steps: the invariant is true at the start, stays true, and each property follows from it.

-- The invariant holds at the start
check invariantAtStart { contract implies invariant } for 3 but 6 Fence, 6 Token, 2 Retry, 1..1 steps expect 0

-- WL-2, WL-3 One lease, an offset in one place, a queue in one order; the invariant stays true
check invariantStays { soundStep implies after invariant } for 3 but 2 Worker, 6 Fence, 6 Token, 2 Retry, 2..2 steps expect 0

-- WL-3 What has ended stays so and is never leased again
check terminalOnce { soundStep implies terminalOnce } for 3 but 6 Fence, 6 Token, 2 Retry, 2..2 steps expect 0

-- WL-3 The head of an idle domain can be taken
check headCanBeTaken { soundStep implies headCanBeTaken } for 3 but 6 Fence, 6 Token, 2 Retry, 2..2 steps expect 0

-- WL-8, WL-21 The fence rises with every grant
check fenceRises { soundStep implies fenceRises } for 3 but 6 Fence, 6 Token, 2 Retry, 2..2 steps expect 0

-- WL-9, WL-20, WL-22 Nobody but the holder finishes a lease
check noStaleFinish { soundStep implies noStaleFinish } for 3 but 6 Fence, 6 Token, 2 Retry, 2..2 steps expect 0

-- WL-8 At a resource that checks the fence, nobody overwrites the holder, and a fence has one writer
check noOverwrite { soundStep implies noOverwrite and oneWriterPerFence } for 3 but 6 Fence, 6 Token, 2 Retry, 2..2 steps expect 0

-- From the start, up to a number of steps.

-- WL-2 First in, first out
check fifo { contract implies always fifo } for 3 but 2 Worker, 6 Fence, 6 Token, 2 Retry, 6..6 steps expect 0

-- WL-23 A repeated finish is not applied twice
check finishOnce { contract implies always finishOnce } for 2 but 4 Fence, 4 Token, 7..7 steps expect 0

-- WL-21 Offered work ends, though nobody finishes it, if two owners keep asking
check progress { contract and twoOwnersAsk and leasesExpire implies allEnd } for 2 but 4 Fence, 4 Token, 7..7 steps expect 0

-- The bound on fences leaves nothing out
check enoughFences { contract implies always enoughFences } for 2 but 4 Fence, 4 Token, 8..8 steps expect 0

-- What the contract does not promise.

-- WL-6, WL-23 A fail that is delivered twice uses up two retries
check attemptCountedOnce { contract implies always attemptCountedOnce } for 2 but 4 Fence, 4 Token, 6 steps expect 1

-- WL-21 With one owner who keeps asking, work that kills it never ends
check progressOfOneOwner { contract and oneOwnerAsks and leasesExpire implies allEnd } for 2 but 4 Fence, 4 Token, 6 steps expect 1

-- WL-21 Work can be done, and yet end as failed
run doneButFailed {
  contract
  some w: Worker, f: Fence, o: Offset | eventually (writes[w, f] and o in f.leased and eventually (some v: Worker | givesUpOnTakeOver[v, o]))
} for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- WL-21 Work can end as failed though no worker ever began it
run failedButNeverBegun { contract and eventually (some Store.failed and always no knows and historically no knows) } for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- Everything the model speaks of can happen.

-- A worker acquires
run acquires { contract and eventually (some w: Worker, o: Offset | acquires[w, o]) } for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- An offset is queued, and acquired later
run enqueues {
  contract
  some o: Offset | eventually ((some w: Worker | enqueues[w, o]) and eventually (some w: Worker | acquires[w, o]))
} for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- An owner whose reply was lost asks again and is told
run asksAgain { contract and eventually (some w: Worker, o: Offset | asksAgain[w, o] and knows' != knows) } for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- A holder is paused, taken over, and sends its finish too late
run lateFinish {
  contract
  some v, w: Worker, f: Fence, o: Offset | eventually {
    takesOver[v, o] and f in live and f in w.knows
    after eventually (sendsSucceed[w, f] and f not in w.succeeding and some live)
  }
} for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- A holder renews
run renews { contract and eventually (some w: Worker, f: Fence | renews[w, f]) } for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- A worker succeeds, and its finish is delivered again while another lease is live
run succeeds {
  contract
  some w: Worker, f: Fence | eventually (succeeds[w, f] and after eventually some live)
} for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- A worker fails, is to retry, fails again and gives up
run givesUp {
  contract
  some w: Worker, f: Fence, disj q, r: Retry | eventually (failsToRetry[w, f, q] and after eventually givesUp[w, f, r])
} for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- Two workers crash one after the other, and the work is given up
run giveUpAfterCrashes {
  contract
  some disj v, w: Worker | eventually (crashes[v] and eventually (crashes[w] and eventually (some o: Offset | givesUpOnTakeOver[v, o])))
} for 2 but 4 Fence, 4 Token, 8..8 steps expect 1

-- Both holders write, and the older one is refused from then on
run writes {
  contract
  some disj v, w: Worker, f, g: Fence | eventually (writes[v, f] and eventually (writes[w, g] and g != f))
} for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- What progress asks of the world is possible, with crashes
run fairWorld { contract and twoOwnersAsk and leasesExpire and eventually (some w: Worker | crashes[w]) and some Offset } for 2 but 4 Fence, 4 Token, 8 steps expect 1

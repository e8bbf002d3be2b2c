/* The contract's properties with more workers, retries and steps, for `-Plong`. Read as `small.als`. */
module large

open lease

-- The invariant holds at the start
check invariantAtStart { contract implies invariant } for 3 but 9 Fence, 9 Token, 1..1 steps expect 0

-- WL-2, WL-3 One lease, an offset in one place, a queue in one order; the invariant stays true
check invariantStays { soundStep implies after invariant } for 3 but 9 Fence, 9 Token, 2..2 steps expect 0

-- WL-3 What has ended stays so and is never leased again
check terminalOnce { soundStep implies terminalOnce } for 3 but 9 Fence, 9 Token, 2..2 steps expect 0

-- WL-3 The head of an idle domain can be taken
check headCanBeTaken { soundStep implies headCanBeTaken } for 3 but 9 Fence, 9 Token, 2..2 steps expect 0

-- WL-8, WL-21 The fence rises with every grant
check fenceRises { soundStep implies fenceRises } for 3 but 9 Fence, 9 Token, 2..2 steps expect 0

-- WL-9, WL-20, WL-22 Nobody but the holder finishes a lease
check noStaleFinish { soundStep implies noStaleFinish } for 3 but 9 Fence, 9 Token, 2..2 steps expect 0

-- WL-8 At a resource that checks the fence, nobody overwrites the holder, and a fence has one writer
check noOverwrite { soundStep implies noOverwrite and oneWriterPerFence } for 3 but 9 Fence, 9 Token, 2..2 steps expect 0

-- WL-2 First in, first out
check fifo { contract implies always fifo } for 3 but 2 Worker, 6 Fence, 6 Token, 2 Retry, 10..10 steps expect 0

-- WL-23 A repeated finish is not applied twice
check finishOnce { contract implies always finishOnce } for 2 but 4 Fence, 4 Token, 12..12 steps expect 0

-- WL-21 Offered work ends, though nobody finishes it, if two owners keep asking
check progress { contract and twoOwnersAsk and leasesExpire implies allEnd } for 2 but 4 Fence, 4 Token, 12..12 steps expect 0

-- The bound on fences leaves nothing out
check enoughFences { contract implies always enoughFences } for 2 but 4 Fence, 4 Token, 12..12 steps expect 0

-- FailsNumbered: with numbered attempts, a fail that is delivered twice counts once
check failsNumbered { changed[FailsNumbered] implies always attemptCountedOnce } for 2 but 4 Fence, 4 Token, 10..10 steps expect 0

/* Stores that differ from the contract in one thing, and what breaks, for `-Plong`. Read as `small.als`. */
module changed

open lease

-- TokenShown: a stranger finishes the holder's work
check tokenShown_finish { changed[TokenShown] implies always noStaleFinish } for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- TokenShown: a stranger overwrites the holder
check tokenShown_write { changed[TokenShown] and stops implies always noOverwrite } for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- FenceKept: the old holder overwrites the new one
check fenceKept_write { changed[FenceKept] and stops implies always noOverwrite } for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- FenceKept: the old holder finishes the new one's work
check fenceKept_finish { changed[FenceKept] implies always noStaleFinish } for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- FenceKept: the fence does not rise
check fenceKept_rise { changed[FenceKept] implies always fenceRises } for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- OldLeaseKept: two leases
check oldLeaseKept { changed[OldLeaseKept] implies always oneLease } for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- FailedQueued: a head that nobody can take
check failedQueued_head { changed[FailedQueued] implies always headCanBeTaken } for 2 but 4 Fence, 4 Token, 8..8 steps expect 1

-- FailedQueued: an offset in two places
check failedQueued_place { changed[FailedQueued] implies always disjoint } for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- TerminalUnchecked: ended work runs again
check terminalUnchecked { changed[TerminalUnchecked] implies always terminalOnce } for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- HeadUnchecked: a newcomer overtakes
check headUnchecked { changed[HeadUnchecked] implies always fifo } for 3 but 2 Worker, 3 Fence, 3 Token, 2 Retry, 8 steps expect 1

-- TokenUnchecked: a repeated finish ends the next offset too
check tokenUnchecked { changed[TokenUnchecked] implies always finishOnce } for 2 but 4 Fence, 4 Token, 8 steps expect 1

-- TokensRepeat: a token that comes again lets an old holder finish
check tokensRepeat { changed[TokensRepeat] implies always noStaleFinish } for 1 but 2 Worker, 3 Fence, 2 Token, 3 Retry, 8..8 steps expect 1

-- TakeOverUncounted: work that kills its worker is taken over for ever
check takeOverUncounted {
  changed[FenceKept + TakeOverUncounted] and twoOwnersAsk and leasesExpire implies allEnd
} for 1 but 2 Worker, 2 Fence, 2 Token, 2 Retry, 8 steps expect 1

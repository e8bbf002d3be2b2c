package io.tidegate.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An engine that answers as the test says, and keeps the claims. Not thread-safe. */
final class ScriptedCapStore implements CapStore {
    private static final int BY_NEED = -1;

    final List<Claim> claims = new ArrayList<>();
    final List<String> others = new ArrayList<>();
    boolean away;
    Runnable onTheWay = () -> {};
    private int most;
    private int goal;
    private int cap;

    /** Grants the goal, up to this much. */
    void answer(int most, int goal, int cap) {
        this.most = most;
        this.goal = goal;
        this.cap = cap;
    }

    /** Grants the need, up to this much. */
    void answerByNeed(int most) {
        answer(most, BY_NEED, 10);
    }

    Claim last() {
        return claims.get(claims.size() - 1);
    }

    @Override
    public Share claim(Claim claim) {
        claims.add(claim);
        onTheWay.run();
        if (away) {
            throw new IllegalStateException("away");
        }
        return goal == BY_NEED
                ? new Share(Math.max(claim.slice(), Math.min(most, claim.need())), claim.need(), cap)
                : new Share(most, goal, cap);
    }

    @Override
    public void leave(String bulkhead, String owner) {
        others.add("leave " + bulkhead);
        if (away) {
            throw new IllegalStateException("away");
        }
    }

    @Override
    public void setCap(String bulkhead, int cap) {
        others.add("set " + bulkhead + " to " + cap);
    }

    @Override
    public boolean delete(String bulkhead) {
        others.add("delete " + bulkhead);
        return true;
    }

    @Override
    public Optional<Division> inspect(String bulkhead) {
        return Optional.empty();
    }
}

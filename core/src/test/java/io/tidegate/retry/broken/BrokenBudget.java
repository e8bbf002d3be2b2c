package io.tidegate.retry.broken;

import io.tidegate.retry.RetryBudget;
import java.util.concurrent.atomic.AtomicLong;

/** Retry budgets with one fault each. */
public enum BrokenBudget implements BudgetFactory {
    /** The balance is compared in one step and spent in another. */
    CHECK_THEN_ACT {
        @Override
        public RetryBudget create() {
            return new Balance() {
                @Override
                public boolean tryRetry() {
                    if (balance.get() < 1) {
                        return false;
                    }
                    Thread.yield();
                    balance.decrementAndGet();
                    return true;
                }
            };
        }
    },

    /** Of two retries that are earned at the same time one is lost. */
    LOST_FIRST {
        @Override
        public RetryBudget create() {
            return new Balance() {
                @Override
                public void onFirst() {
                    long seen = balance.get();
                    Thread.yield();
                    balance.set(seen + 1);
                }
            };
        }
    };

    private static class Balance implements RetryBudget {
        final AtomicLong balance = new AtomicLong();

        @Override
        public double available() {
            return balance.get();
        }

        @Override
        public void onFirst() {
            balance.incrementAndGet();
        }

        @Override
        public boolean tryRetry() {
            return balance.getAndUpdate(seen -> Math.max(0, seen - 1)) > 0;
        }
    }
}

package io.tidegate.peers;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Threads that start at the same instant. */
final class ManyThreads {
    private ManyThreads() {}

    /**
     * Asks the question on so many threads at the same time, which start after {@code before}; returns how many answers
     * were yes.
     */
    static int count(int threads, Runnable before, IntPredicate question)
            throws InterruptedException, ExecutionException {
        CyclicBarrier together = new CyclicBarrier(threads, before);
        List<Callable<Boolean>> questions = IntStream.range(0, threads)
                .<Callable<Boolean>>mapToObj(i -> () -> {
                    together.await(10, TimeUnit.MINUTES);
                    return question.test(i);
                })
                .toList();
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            int yes = 0;
            for (Future<Boolean> answer : pool.invokeAll(questions)) {
                yes += answer.get() ? 1 : 0;
            }
            return yes;
        } finally {
            pool.shutdownNow();
        }
    }
}

package io.tidegate.evidence;

import java.util.List;

/**
 * A test method, or something else that can fail, and its result.
 *
 * @param module the folder it ran in
 * @param testClass its class
 * @param method of the class
 * @param name its display name
 * @param rules the rules that it names
 * @param runs how many times it ran
 * @param millis how long all runs took
 * @param failure why it did not pass; empty if it did
 */
record Check(
        String module,
        String testClass,
        String method,
        String name,
        List<String> rules,
        Outcome outcome,
        int runs,
        long millis,
        String failure) {}

package io.tidegate.redis;

import java.util.List;

/**
 * One call of a script.
 *
 * @param subject what it is about, for messages: {@code domain A}
 * @param keys all in one slot, and the same for every call with this subject
 */
record ScriptCall(Script script, String subject, List<String> keys, List<String> arguments) {
    String[] keyArray() {
        return keys.toArray(String[]::new);
    }

    String[] argumentArray() {
        return arguments.toArray(String[]::new);
    }

    /** Without the arguments: tokens are among them. */
    @Override
    public String toString() {
        return script + " in " + subject;
    }
}

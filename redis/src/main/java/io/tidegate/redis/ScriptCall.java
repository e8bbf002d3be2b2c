package io.tidegate.redis;

import java.util.List;

/**
 * One call of a script.
 *
 * @param subject what it is about, for messages: {@code domain A}
 * @param keys all in one slot; each call of a script has the same number of keys, and of arguments
 */
record ScriptCall(Script script, String subject, List<String> keys, List<String> arguments) {
    /** Leaves out the arguments, because tokens are among them. */
    @Override
    public String toString() {
        return script + " in " + subject;
    }
}

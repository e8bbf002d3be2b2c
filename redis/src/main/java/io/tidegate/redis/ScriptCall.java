package io.tidegate.redis;

import java.util.List;

/**
 * One call of a script.
 *
 * @param subject what it is about, for messages: {@code domain A}
 * @param keys all in one slot; as many in each call of a script, and so are the arguments
 */
record ScriptCall(Script script, String subject, List<String> keys, List<String> arguments) {
    /** Without the arguments: tokens are among them. */
    @Override
    public String toString() {
        return script + " in " + subject;
    }
}

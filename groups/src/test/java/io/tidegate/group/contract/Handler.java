package io.tidegate.group.contract;

import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupTask;
import io.tidegate.group.RejectionHandler;
import java.util.function.Function;

/** A handler made of one function, since a generic method takes no lambda. */
record Handler(Function<GroupTask<?>, GroupResult<?>> answer) implements RejectionHandler {
    @Override
    @SuppressWarnings("unchecked") // the tests answer with what the task is of
    public <T> GroupResult<T> onRejected(GroupTask<T> task) {
        return (GroupResult<T>) answer.apply(task);
    }
}

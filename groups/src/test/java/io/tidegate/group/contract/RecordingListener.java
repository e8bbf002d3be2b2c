package io.tidegate.group.contract;

import io.tidegate.group.GroupResult;
import io.tidegate.group.GroupTask;
import io.tidegate.group.TaskLifecycleListener;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps the callbacks for each task id. */
final class RecordingListener implements TaskLifecycleListener {
    final Map<String, List<String>> told = new ConcurrentHashMap<>();
    final Map<String, GroupResult<?>> results = new ConcurrentHashMap<>();
    final List<GroupTask<?>> tasks = new CopyOnWriteArrayList<>();

    List<String> of(String taskId) {
        return told.getOrDefault(taskId, List.of());
    }

    private void add(GroupTask<?> task, String event) {
        tasks.add(task);
        told.computeIfAbsent(task.taskId(), id -> new CopyOnWriteArrayList<>()).add(event);
    }

    @Override
    public void onSubmitted(GroupTask<?> task) {
        add(task, "submitted");
    }

    @Override
    public void onStarted(GroupTask<?> task) {
        add(task, "started");
    }

    @Override
    public void onCompleted(GroupTask<?> task, GroupResult<?> result) {
        results.put(task.taskId(), result);
        add(task, "completed " + result.status());
    }

    @Override
    public void onRejected(GroupTask<?> task) {
        add(task, "rejected");
    }
}

package io.tidegate.redis;

import java.util.List;

/** The scripts of leases. */
final class LeaseScripts {
    static final Script ACQUIRE = read("acquire");
    static final Script SUCCEED = read("succeed");
    static final Script SUCCEED_AND_TAKE_NEXT =
            Script.read("domain", List.of("acquire", "succeed"), "succeed-and-take-next");
    static final Script FAIL = read("fail");
    static final Script RENEW = read("renew");
    static final Script RELEASE = read("release");
    static final Script FORCE_RELEASE = Script.read("domain", List.of("release"), "force-release");
    static final Script PENDING = read("pending");
    static final Script NAMES = read("names");
    static final Script SUMMARY = read("summary");
    static final Script INSPECT = read("inspect");
    static final Script BEHIND = read("behind");
    static final Script FAILED = read("failed");
    static final Script FORGET = read("forget");
    static final Script REPLAY = read("replay");
    static final Script DOMAINS = read("domains");
    static final Script DELETE_FAILED = read("delete-failed");
    static final Script DELETE_IDLE = read("delete-idle");

    static final List<Script> ALL = List.of(
            ACQUIRE,
            SUCCEED,
            SUCCEED_AND_TAKE_NEXT,
            FAIL,
            RENEW,
            RELEASE,
            FORCE_RELEASE,
            PENDING,
            NAMES,
            SUMMARY,
            INSPECT,
            BEHIND,
            FAILED,
            FORGET,
            REPLAY,
            DOMAINS,
            DELETE_FAILED,
            DELETE_IDLE);

    private LeaseScripts() {}

    private static Script read(String name) {
        return Script.read("domain", name);
    }
}

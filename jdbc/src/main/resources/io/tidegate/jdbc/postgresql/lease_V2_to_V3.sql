-- Tidegate work lease for PostgreSQL, from version 2 to 3: the token is no longer a column. lease_functions.sql comes
-- after it. Stop the processes first. Run both scripts once, as one transaction.

drop function
    tidegate_begin, tidegate_locked, tidegate_locked_or_new, tidegate_number, tidegate_packed, tidegate_walk,
    tidegate_is_processed, tidegate_head, tidegate_refusal, tidegate_grant, tidegate_free, tidegate_add_failed,
    tidegate_has_room, tidegate_appended, tidegate_inserted, tidegate_add_run, tidegate_add_processed, tidegate_look,
    tidegate_try_acquire_with_care, tidegate_try_acquire, tidegate_succeed_with_care, tidegate_succeed,
    tidegate_fail, tidegate_prolong, tidegate_renew, tidegate_release, tidegate_forget, tidegate_replay,
    tidegate_try_acquire_all, tidegate_succeed_all, tidegate_renew_all, tidegate_delete_idle, tidegate_delete_failed;
drop type tidegate_answer;
drop type tidegate_run;

alter table tidegate_domain drop column token;

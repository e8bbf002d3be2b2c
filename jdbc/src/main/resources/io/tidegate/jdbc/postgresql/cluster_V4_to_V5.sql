-- Tidegate cluster bulkhead for PostgreSQL, from version 4 to 5. cluster_functions.sql comes after it. Processes may
-- continue to run: those of version 4 claim by the same procedure as before. A claim that runs at the same time may
-- fail; it changes nothing then, and its member asks again. Run both scripts once, as one transaction.

drop routine if exists tidegate_count_members, tidegate_turn, tidegate_divide, tidegate_claim, tidegate_claim_slice, tidegate_set_cap,
    tidegate_leave_cap, tidegate_delete_cap;

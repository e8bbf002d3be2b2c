local owner, number, first_cap, slice, in_use, need, exact, lease_millis = ...
number, first_cap, slice, in_use, need, lease_millis =
    tonumber(number), tonumber(first_cap), tonumber(slice), tonumber(in_use), tonumber(need), tonumber(lease_millis)
exact = exact == 'true'
local EXACT_TURN_MILLIS, TURNS_PER_LEASE, PATIENCE_MILLIS, LONGEST_WAIT_MILLIS, LONG_WAIT_MILLIS = 50, 4, 1500, 1000, 500
local NEVER = 2 ^ 53

-- The time until which the sums count a member rightly: the end of its lease or, for a member that takes single permits
-- and waits for one, the time from which nothing is reserved for it any more.
local function right_until(m)
    return math.min(m.lease_until, m.exact and m.need > m.held and m.asked_at + PATIENCE_MILLIS + 1 or NEVER)
end

-- Members that take single permits and need none are not counted.
local function has_need(m)
    return m.need > 0 or not m.exact
end

-- The place of a need in the list of needs, which are in rising order.
local function place(needs, sought)
    local i = 1
    while needs[i] and needs[i] < sought do
        i = i + 1
    end
    return i
end

local function add_need(sums, added)
    local i = place(sums.needs, added)
    if sums.needs[i] ~= added then
        table.insert(sums.needs, i, added)
        table.insert(sums.needy, i, 0)
    end
    sums.needy[i] = sums.needy[i] + 1
end

-- Goes through all members: forgets those whose lease has ended, and computes the sums anew.
local function count_members(now)
    local all, ended = members(now)
    for _, gone in ipairs(ended) do
        redis.call('HDEL', slices_key, gone)
    end
    local sums = {members = #all, held = 0, lack = 0, count_at = NEVER, needs = {}, needy = {}}
    for _, m in ipairs(all) do
        if right_until(m) <= now then
            m.need, m.lack = m.held, 0
            keep(m)
        end
        sums.held, sums.lack = sums.held + m.held, sums.lack + m.lack
        sums.count_at = m.is_old and 0 or math.min(sums.count_at, right_until(m))
        if has_need(m) then
            add_need(sums, m.need)
        end
    end
    return sums
end

-- The sums are kept as text: members, held, lack, count_at, then each need and how many members have it.
local function read_sums(now)
    local sums = {needs = {}, needy = {}}
    local words = string.gmatch(redis.call('GET', sums_key) or '', '%S+')
    for _, field in ipairs({'members', 'held', 'lack', 'count_at'}) do
        sums[field] = tonumber(words() or 0)
    end
    -- members of older versions, and members that leave, do not update the sums
    if sums.count_at <= now or sums.members ~= redis.call('HLEN', slices_key) then
        return count_members(now)
    end
    for word in words do
        sums.needs[#sums.needs + 1], sums.needy[#sums.needy + 1] = tonumber(word), tonumber(words())
    end
    return sums
end

local function keep_sums(sums)
    local words = {whole(sums.members), whole(sums.held), whole(sums.lack), whole(sums.count_at)}
    for i, known in ipairs(sums.needs) do
        if sums.needy[i] > 0 then
            words[#words + 1], words[#words + 2] = whole(known), whole(sums.needy[i])
        end
    end
    redis.call('SET', sums_key, table.concat(words, ' '))
end

-- Serves members in turns when there are more members with a need than permits. A member whose turn lasts comes first,
-- then the members that wait, the longest first, then the others, the one whose turn ended last first.
--
-- A member that takes single permits claims at the moment it gives a permit back, and would find this permit free each
-- time, while the members before it claim at other times. So it leaves one permit to each member before it that has
-- waited for long. A permit for every member before it would leave too many idle.
local function turn(own, cap, now)
    local function rank(m)
        local has_turn = m.turn_at > now
        local waits = m.slice == 0 and not has_turn
        return has_turn and 2 or waits and 1 or 0, waits and -m.turn_at or m.turn_at
    end
    local own_rank, own_place = rank(own)
    local gives_back = own.exact and own.turn_at == now
    local ahead, waiting, kept, turn_ends = 0, 0, 0, nil
    for _, m in ipairs((members(now))) do
        if m.owner ~= own.owner and m.need > 0 then
            local other_rank, other_place = rank(m)
            if other_rank > own_rank or other_rank == own_rank
                and (other_place > own_place or other_place == own_place and m.owner > own.owner) then
                ahead = ahead + 1
                waiting = waiting + (other_rank == 1 and 1 or 0)
                kept = kept + (gives_back and other_rank == 1 and m.held == 0 and now - m.turn_at >= LONG_WAIT_MILLIS and 1 or 0)
            end
            if m.turn_at > now then
                turn_ends = math.min(turn_ends or m.turn_at, m.turn_at)
            end
        end
    end
    return own.need > 0 and ahead < cap and 1 or 0,
        math.min((turn_ends or now) - now + math.floor(waiting / cap) * EXACT_TURN_MILLIS, LONGEST_WAIT_MILLIS), kept
end

local now = millis()
local cap = tonumber(redis.call('GET', cap_key))
if not cap then
    cap = first_cap
    redis.call('SET', cap_key, whole(cap))
end
local sums = read_sums(now)
local known = redis.call('HGET', slices_key, owner)
local before = known and member(owner, known)
if before and before.number >= number then
    return {whole(before.slice), whole(before.slice), whole(cap), '0'}
end
local own = {
    owner = owner, number = number, slice = 0, need = need, exact = exact, turn_at = now, asked_at = now, lease_until = now + lease_millis}
if before then
    sums.held, sums.lack = sums.held - before.held, sums.lack - before.lack
    if has_need(before) then
        local i = place(sums.needs, before.need)
        sums.needy[i] = sums.needy[i] - 1
    end
    own.slice = math.min(slice, before.slice)
    if own.slice > 0 or before.turn_at > now or (before.slice == 0 and before.need > 0) then
        own.turn_at = before.turn_at
    end
else
    sums.members = sums.members + 1
end
if has_need(own) then
    add_need(sums, need)
end

-- While there are at least as many permits as members, each member that takes slices keeps one.
local least = sums.members <= cap and 1 or 0
local needy, needed = 0, 0
for i, each in ipairs(sums.needs) do
    needy = needy + (math.max(each, least) > 0 and sums.needy[i] or 0)
    needed = needed + math.max(each, least) * sums.needy[i]
end
local part, spare, wait, kept = exact and need or math.max(need, least), 0, 0, 0
local scarce = needy > cap
if scarce then
    part, wait, kept = turn(own, cap, now)
elseif needed <= cap then
    -- Permits that nobody needs are shared among the members that take slices; some stay for the next member that asks.
    spare = exact and 0 or math.ceil((cap - needed) / (2 * sums.members - 1))
else
    -- Small needs are met in full; all other members get the same part, and the first ones to ask get one of the
    -- remaining permits each.
    local rest = cap
    for i, each in ipairs(sums.needs) do
        if math.floor(rest / needy) < each then
            break
        end
        rest = rest - math.max(each, least) * sums.needy[i]
        needy = needy - (math.max(each, least) > 0 and sums.needy[i] or 0)
    end
    local level = math.floor(rest / needy)
    if part > level then
        part, spare = level, rest % needy > 0 and 1 or 0
    end
end
-- A member that has its part gets nothing that others lack.
local room = math.max(0, cap - sums.held)
local goal = math.max(part, math.min(part + spare, room - sums.lack))
local granted = math.max(own.slice, math.min(goal, room - kept))
if granted >= need or not exact then
    wait = 0
elseif scarce and granted > 0 then
    -- A member that has its part claims anyway when it gives that back.
    wait = LONGEST_WAIT_MILLIS
end
-- A member that gives back and takes again within its turn does not prolong the turn.
if own.slice == 0 and own.turn_at <= now and granted > 0 then
    own.turn_at = now + (exact and EXACT_TURN_MILLIS or math.floor(lease_millis / TURNS_PER_LEASE))
end
own.slice, own.held = granted, math.max(granted, in_use)
own.lack = math.max(0, part - own.held)
keep(own)
sums.held, sums.lack = sums.held + own.held, sums.lack + own.lack
sums.count_at = math.min(sums.count_at, right_until(own))
keep_sums(sums)
return {whole(granted), whole(exact and need or goal), whole(cap), whole(wait)}

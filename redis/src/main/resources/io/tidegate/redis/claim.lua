local owner, number, first_cap, slice, in_use, need, exact, lease_millis = ...
number, first_cap, slice, in_use, need, lease_millis =
    tonumber(number), tonumber(first_cap), tonumber(slice), tonumber(in_use), tonumber(need), tonumber(lease_millis)
exact = exact == 'true'
local EXACT_TURN_MILLIS, TURNS_PER_LEASE, PATIENCE_MILLIS, LONGEST_WAIT_MILLIS = 50, 4, 1500, 1000
local now = millis()
local cap = tonumber(redis.call('GET', cap_key))
if not cap then
    cap = first_cap
    redis.call('SET', cap_key, whole(cap))
end
local all, owners, ended = members(now)
for _, gone in ipairs(ended) do
    redis.call('HDEL', slices_key, gone)
end
local before = all[owner]
if before and before.number >= number then
    return {whole(before.slice), whole(before.slice), whole(cap), '0'}
end

local kept, turn_at = 0, now
if before then
    kept = math.min(slice, before.slice)
    if kept > 0 or before.turn_at > now or (before.slice == 0 and before.need > 0) then
        turn_at = before.turn_at
    end
else
    owners[#owners + 1] = owner
end
local own = {owner = owner, slice = kept, held = 0, need = need, exact = exact, turn_at = turn_at, asked_at = now}
all[owner] = own
-- While there are as many permits as members, each keeps one.
local least = #owners <= cap and 1 or 0
local room, needy = cap, {}
for _, name in ipairs(owners) do
    local m = all[name]
    room = room - m.held
    m.wants = m.exact and m.need or math.max(m.need, least)
    m.has_turn = m.turn_at > now
    m.waits = m.slice == 0 and not m.has_turn
    -- Nothing is kept for one that takes permits one by one and has not asked for one of late.
    m.asks_soon = not m.exact or now - m.asked_at <= PATIENCE_MILLIS
    if m.wants > 0 then
        needy[#needy + 1] = m
    end
end
room = math.max(0, room)

-- Who is first to do without, if not all who need something can have anything: who had its turn, then who came last, then who has its turn.
local scarce = #needy > cap
for _, m in ipairs(needy) do
    if not scarce then
        m.rank, m.place = m.wants, 0
    elseif m.waits then
        m.rank, m.place = 1, -m.turn_at
    else
        m.rank, m.place = m.has_turn and 2 or 0, m.turn_at
    end
end
table.sort(needy, function(a, b)
    if a.rank ~= b.rank then
        return a.rank < b.rank
    elseif a.place ~= b.place then
        return a.place < b.place
    end
    return a.owner < b.owner
end)

-- The need is met as far as all can have as much. Of what nobody needs each has a part, unless somebody else holds it or should, and some is left for
-- who asks first.
local rest, mine, owed, ahead, turn_ends = cap, 0, 0, 0, nil
for i, m in ipairs(needy) do
    local part = math.min(m.wants, math.floor(rest / (#needy - i + 1)))
    rest = rest - part
    if m.owner == owner then
        mine, ahead = part, 0
    else
        if m.asks_soon or not exact then
            owed = owed + math.max(0, part - m.held)
        end
        if m.waits and m.asks_soon then
            ahead = ahead + 1
        end
        if m.has_turn then
            turn_ends = math.min(turn_ends or m.turn_at, m.turn_at)
        end
    end
end
local parts = 2 * #owners - 1
local wanted = exact and need or mine + math.ceil(rest / parts)
local goal = math.max(mine, math.min(wanted, room - owed))
local granted = math.max(kept, math.min(goal, room))
local wait = 0
if exact and scarce and granted < need then
    -- Who has its part asks anyway when it gives that back.
    wait = granted > 0 and LONGEST_WAIT_MILLIS
        or math.min((turn_ends or now) - now + math.floor(ahead / cap) * EXACT_TURN_MILLIS, LONGEST_WAIT_MILLIS)
end
-- Who gives back and takes again in its turn does not make it any longer.
if own.waits and granted > 0 then
    turn_at = now + (exact and EXACT_TURN_MILLIS or math.floor(lease_millis / TURNS_PER_LEASE))
end
redis.call('HSET', slices_key, owner, table.concat({
    whole(number), whole(granted), whole(math.max(granted, in_use)), whole(need), exact and '1' or '0', whole(turn_at), whole(now),
    whole(now + lease_millis)}, ' '))
return {whole(granted), whole(exact and need or goal), whole(cap), whole(wait)}

local owner, turn, first_cap, slice, in_use, need, exact, lease_millis = ...
turn, first_cap, slice, in_use, need, lease_millis =
    tonumber(turn), tonumber(first_cap), tonumber(slice), tonumber(in_use), tonumber(need), tonumber(lease_millis)
exact = exact == 'true'
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
if before and before.turn >= turn then
    return {whole(before.slice), whole(before.slice), whole(cap)}
end

local kept, since = 0, now
if before then
    kept = math.min(slice, before.slice)
    if kept > 0 or (before.slice == 0 and before.need > 0) then
        since = before.turn_at
    end
else
    owners[#owners + 1] = owner
end
all[owner] = {owner = owner, slice = kept, held = 0, need = need, turn_at = since}
local room, needy = cap, {}
for _, name in ipairs(owners) do
    room = room - all[name].held
    if all[name].need > 0 then
        needy[#needy + 1] = all[name]
    end
end

-- Who is first to do without, if not all who need something can have anything: who had its turn, then who came last, then who has its turn.
local scarce = #needy > cap
for _, m in ipairs(needy) do
    if not scarce then
        m.rank, m.place = m.need, 0
    elseif m.slice == 0 then
        m.rank, m.place = 1, -m.turn_at
    else
        m.rank, m.place = m.turn_at > now and 2 or 0, m.turn_at
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
local rest, mine, owed = cap, 0, 0
for i, m in ipairs(needy) do
    local part = math.min(m.need, math.floor(rest / (#needy - i + 1)))
    rest = rest - part
    if m.owner == owner then
        mine = part
    else
        owed = owed + math.max(0, part - m.held)
    end
end
local parts = 2 * #owners - 1
local wanted = exact and need or mine + math.ceil(rest / parts)
local goal = math.max(mine, math.min(wanted, room - owed))
local granted = math.max(kept, math.min(goal, room))
if kept == 0 and granted > 0 then
    since = now + lease_millis
end
redis.call('HSET', slices_key, owner, table.concat({
    whole(turn), whole(granted), whole(math.max(granted, in_use)), whole(need), whole(since), whole(now + lease_millis)}, ' '))
return {whole(granted), whole(exact and need or goal), whole(cap)}

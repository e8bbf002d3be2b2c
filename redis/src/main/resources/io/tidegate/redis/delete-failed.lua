-- Reads at most `limit` failures, from behind the place if one is given, and deletes the old ones. Returns where to go
-- on if there may be more.
local place, age, limit = ...

local from = place == '' and '-' or '(' .. place .. '!'
local entries = redis.call('ZRANGEBYLEX', failed, from, '+', 'LIMIT', 0, limit)
local old, places = {}, {}
for _, entry in ipairs(entries) do
    local failedAt
    place, failedAt = string.match(entry, '^(%d+) (%d+)')
    if tonumber(failedAt) <= now - age then
        old[#old + 1], places[#places + 1] = entry, place
    end
end
if #old > 0 then
    -- Removes entries before it adds any: after a removal a full server lets a script add.
    redis.call('ZREM', failed, unpack(old))
    local forgotten, first, last = get('forgotten', 'first', 'last')
    for _, gone in ipairs(places) do
        -- An offset that is neither failed nor processed would run again if it came again.
        first, last = grown(gone, forgotten, first, last)
    end
    redis.call('HSET', state, 'first', first, 'last', last, 'changed', whole(now))
end
return {'DELETED', whole(#old), #entries == tonumber(limit) and place or ''}

-- Removes at most `most` leaves, and returns whether there may be more. A domain that is idle stays as idle as before.
local place, most = ...

local forgotten, last, look, changed = get('forgotten', 'last', 'look', 'changed')
local leaves = redis.call('ZRANGEBYLEX', done, '-', '(' .. after(place), 'LIMIT', 0, most)
local old = {}
for _, leaf in ipairs(leaves) do
    if string.sub(leaf, 22, 41) <= place then
        old[#old + 1] = leaf
    end
end
-- Removes before it adds, even if there is nothing to remove: after a removal a full server lets a script add.
redis.call('ZREM', done, '', unpack(old))
if not forgotten or forgotten < place then
    if not look then
        redis.call('ZADD', names(), 0, domain())
        redis.call('ZADD', lookAt, '+inf', domain())
    end
    redis.call('HSET', state, 'forgotten', place, 'changed', changed or whole(now), 'look', look or '')
    if last and last <= place then
        redis.call('HDEL', state, 'first', 'last')
    end
end
return {#old == tonumber(most) and 'MORE' or 'FORGOTTEN'}

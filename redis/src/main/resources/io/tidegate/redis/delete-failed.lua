local age, limit = ...

local old = redis.call('ZRANGEBYSCORE', failed, '-inf', whole(now - age), 'LIMIT', 0, limit)
if #old > 0 then
    -- Removes first: after that a full server lets the script add.
    redis.call('ZREM', failed, unpack(old))
    local forgotten, first, last = get('forgotten', 'first', 'last')
    for _, place in ipairs(old) do
        -- If it were unknown, it would run again when it comes again.
        first, last = grown(place, forgotten, first, last)
    end
    redis.call('HSET', state, 'first', first, 'last', last, 'changed', whole(now))
end
return {'DELETED', whole(#old)}

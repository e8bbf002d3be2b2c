local age, limit = unpack(ARGV)

local old = redis.call('ZRANGEBYSCORE', failed, '-inf', whole(millis() - age), 'LIMIT', 0, limit)
for _, place in ipairs(old) do
    -- Removes first: after that a full server lets the script add.
    redis.call('ZREM', failed, place)
    -- If it were unknown, it would run again when it comes again.
    remember(place)
end
if #old > 0 then
    redis.call('HSET', state, 'changed', whole(millis()))
end
return {'DELETED', whole(#old)}

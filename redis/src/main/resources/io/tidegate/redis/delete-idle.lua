local idle = ARGV[1]

local instant = micros()
local token, changed, fence = unpack(redis.call('HMGET', state, 'token', 'changed', 'fence'))
if token or not changed or redis.call('EXISTS', backlog, failed) > 0 or instant / 1000 - changed < tonumber(idle)
    -- The fence that follows is the time, and must be greater.
    or tonumber(fence or 0) >= instant then
    return {'KEPT'}
end
redis.call('UNLINK', state, done)
return {'DELETED'}

-- The failure is which one with this token it is, from 1, or empty for the next one.
local token, failure, duration, maxRetries, call = unpack(ARGV)

local answered = repeated(token, 'GIVE_UP_NO_BACKLOG', 'GIVE_UP_NEXT_HINT') or refusal(token)
if answered then
    return answered
end

local place, retries, before, lastCall = unpack(redis.call('HMGET', state, 'place', 'retries', 'before', 'call'))
local told = retries - before
local number = tonumber(failure) or (lastCall == call and told or told + 1)
if number <= told then
    return {'RETRY_SCHEDULED', whole(before + number)}
elseif number > told + 1 then
    return {'FAILURE_SKIPPED', whole(told + 1)}
elseif tonumber(retries) < tonumber(maxRetries) then
    local retry = whole(retries + 1)
    redis.call('HSET', state, 'retries', retry, 'until', whole(millis() + duration), 'call', call)
    return {'RETRY_SCHEDULED', retry}
end
redis.call('ZADD', failed, whole(millis()), place)
return finish(token, 'GIVE_UP_NO_BACKLOG', 'GIVE_UP_NEXT_HINT')

-- The failure is which one with this token it is, from 1, or empty for the next one.
local token, failure, duration, maxRetries, call = ...

local leased, live, lastToken, lastAnswer, place, retries, before, lastCall =
    get('offset', 'token', 'lastToken', 'lastAnswer', 'place', 'retries', 'before', 'call')
local answered = repeated(token, 'GIVE_UP_NO_BACKLOG', 'GIVE_UP_NEXT_HINT', lastToken, lastAnswer)
    or refusal(token, leased, live)
if answered then
    return answered
end

local told = retries - before
local number = tonumber(failure) or (lastCall == call and told or told + 1)
if number <= told then
    return {'RETRY_SCHEDULED', whole(before + number)}
elseif number > told + 1 then
    return {'FAILURE_SKIPPED', whole(told + 1)}
elseif tonumber(retries) < tonumber(maxRetries) then
    local retry = whole(retries + 1)
    redis.call('HSET', state, 'retries', retry, 'until', whole(now + duration), 'call', call)
    return {'RETRY_SCHEDULED', retry}
end
redis.call('ZADD', failed, whole(now), place)
return finish(token, 'GIVE_UP_NO_BACKLOG', 'GIVE_UP_NEXT_HINT')

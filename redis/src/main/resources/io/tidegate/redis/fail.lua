-- The number counts the failures with this token from 1; 0 means the next one.
local token, number, permanent, reason, duration, maxRetries, call = ...

local leased, live, lastToken, lastAnswer, place, retries, before, lastCall, look =
    get('offset', 'token', 'lastToken', 'lastAnswer', 'place', 'retries', 'before', 'call', 'look')
local answered = repeated(token, 'GIVE_UP_NO_BACKLOG', 'GIVE_UP_NEXT_HINT', lastToken, lastAnswer)
    or refusal(token, leased, live)
if answered then
    return answered
end

local reported = retries - before
local counted = tonumber(number)
if counted == 0 then
    counted = lastCall == call and reported or reported + 1
end
if counted <= reported then
    return {'RETRY_SCHEDULED', whole(before + counted)}
elseif counted > reported + 1 then
    return {'FAILURE_SKIPPED', whole(reported + 1)}
elseif permanent == 'false' and tonumber(retries) < tonumber(maxRetries) then
    local retry, newEnd = whole(retries + 1), now + duration
    redis.call('HSET', state, 'retries', retry, 'until', whole(newEnd), 'call', call, 'look', lookBy(newEnd, look))
    return {'RETRY_SCHEDULED', retry}
end
giveUp(place, retries, reason)
return finish(token, look, 'GIVE_UP_NO_BACKLOG', 'GIVE_UP_NEXT_HINT')

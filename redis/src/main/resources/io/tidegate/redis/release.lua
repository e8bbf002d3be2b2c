local token, call = ...

local leased, live, lastCall, look = get('offset', 'token', 'call', 'look')
if lastCall == call then
    -- The client has sent the call twice.
    return {'RELEASED'}
end
local refused = refusal(token, leased, live)
if refused then
    return refused
end

-- Enqueued offsets have scores from 1, so this one comes first.
redis.call('ZADD', backlog, 0, leased)
redis.call('HSET', state, 'offset', '', 'call', call, 'changed', whole(now), 'look', lookBy(0, look))
return {'RELEASED'}

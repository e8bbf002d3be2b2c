local token, duration = ...

local leased, live, look = get('offset', 'token', 'look')
local refused = refusal(token, leased, live)
if refused then
    return refused
end

local newEnd = now + duration
redis.call('HSET', state, 'until', whole(newEnd), 'look', lookBy(newEnd, look))
return {'RENEWED', whole(newEnd)}

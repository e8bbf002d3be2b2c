local token, duration = ...

local refused = refusal(token, get('offset', 'token'))
if refused then
    return refused
end

local ends = whole(now + duration)
redis.call('HSET', state, 'until', ends)
return {'RENEWED', ends}

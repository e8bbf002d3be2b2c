local token, duration = unpack(ARGV)

local refused = refusal(token)
if refused then
    return refused
end

local ends = whole(millis() + duration)
redis.call('HSET', state, 'until', ends)
return {'RENEWED', ends}

local token, maxRetries, call = unpack(ARGV)

local answered = repeated(token, 'GIVE_UP_NO_BACKLOG', 'GIVE_UP_NEXT_HINT') or refusal(token)
if answered then
    return answered
end

local offset, retries, lastCall = unpack(redis.call('HMGET', state, 'offset', 'retries', 'call'))
if lastCall == call then
    -- The client has sent the call twice.
    return {'RETRY_SCHEDULED', retries}
elseif tonumber(retries) < tonumber(maxRetries) then
    local retry = whole(retries + 1)
    redis.call('HSET', state, 'retries', retry, 'call', call)
    return {'RETRY_SCHEDULED', retry}
end
redis.call('SADD', failed, offset)
return finish(token, 'GIVE_UP_NO_BACKLOG', 'GIVE_UP_NEXT_HINT')

local offset, place, owner, duration, maxRetries, secret = unpack(ARGV)
local instant = micros()
local now = math.floor(instant / 1000)

local function take(at, retries)
    -- Not merely one more than the last: a failover may have lost the last.
    local fence = whole(math.max((get('fence') or 0) + 1, instant))
    local token = fence .. '.' .. secret
    redis.call('HSET', state, 'fence', fence, 'offset', offset, 'place', place, 'token', token, 'owner', owner,
        'at', at, 'until', whole(now + duration), 'retries', retries, 'before', retries, 'call', '')
    return {'ACQUIRED', token, fence}
end

if redis.call('ZSCORE', failed, place) then
    return {'ALREADY_FAILED'}
end

local leased = get('offset')
if leased == offset then
    local token, holder, fence, at, ends, retries =
        unpack(redis.call('HMGET', state, 'token', 'owner', 'fence', 'at', 'until', 'retries'))
    if holder == owner then
        -- Each call has a secret of its own. If the lease has this one, the client has sent the call twice.
        return {token == fence .. '.' .. secret and 'ACQUIRED' or 'ALREADY_ACQUIRED', token, fence}
    elseif now < tonumber(ends) then
        return {'HELD_ELSEWHERE', holder, ends}
    elseif tonumber(retries) >= tonumber(maxRetries) then
        redis.call('ZADD', failed, whole(now), place)
        release()
        return {'ALREADY_FAILED'}
    end
    return take(at, whole(retries + 1))
end

local waits = redis.call('SISMEMBER', queued, offset) == 1
if not waits and isProcessed(place) then
    return {'ALREADY_PROCESSED'}
end

if leased then
    if not waits then
        enqueue(offset)
    end
    return {'ENQUEUED'}
end

local head = redis.call('LINDEX', backlog, 0)
if head and head ~= offset then
    return {'BACKLOG_ORDERING', head}
elseif head then
    redis.call('LPOP', backlog)
    redis.call('SREM', queued, offset)
end
return take(whole(now), '0')

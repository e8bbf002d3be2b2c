local offset, place, owner, duration, maxRetries, secret = ...

local lastFence, leased, token, holder, at, ends, retries, forgotten, first, last =
    get('fence', 'offset', 'token', 'owner', 'at', 'until', 'retries', 'forgotten', 'first', 'last')
-- Most domains have none of these: one look spares others.
local more = redis.call('EXISTS', failed, queued, done) > 0

local function take(since, attempts)
    -- Not merely one more than the last: a failover may have lost the last.
    local fence = whole(math.max((lastFence or 0) + 1, instant))
    local fresh = fence .. '.' .. secret
    redis.call('HSET', state, 'fence', fence, 'offset', offset, 'place', place, 'token', fresh, 'owner', owner,
        'at', since, 'until', whole(now + duration), 'retries', attempts, 'before', attempts)
    return {'ACQUIRED', fresh, fence}
end

if more and redis.call('ZSCORE', failed, place) then
    return {'ALREADY_FAILED'}
end

if leased == offset then
    if holder == owner then
        -- Each call has a secret of its own. If the lease has this one, the client has sent the call twice.
        return {token == lastFence .. '.' .. secret and 'ACQUIRED' or 'ALREADY_ACQUIRED', token, lastFence}
    elseif now < tonumber(ends) then
        return {'HELD_ELSEWHERE', holder, ends}
    elseif tonumber(retries) >= tonumber(maxRetries) then
        redis.call('ZADD', failed, whole(now), place)
        redis.call('HSET', state, 'offset', '')
        return {'ALREADY_FAILED'}
    end
    return take(at, whole(retries + 1))
end

local waits = more and redis.call('SISMEMBER', queued, offset) == 1
if not waits then
    local known = (forgotten and place <= forgotten) or (first and first <= place and place <= last)
    if not known and more then
        local run, _, endsAt = olderRun(place)
        known = run and place <= endsAt
    end
    if known then
        return {'ALREADY_PROCESSED'}
    end
end

if leased and leased ~= '' then
    if not waits then
        enqueue(offset)
    end
    return {'ENQUEUED'}
end

local head = more and redis.call('LINDEX', backlog, 0)
if head and head ~= offset then
    return {'BACKLOG_ORDERING', head}
elseif head then
    redis.call('LPOP', backlog)
    redis.call('SREM', queued, offset)
end
return take(whole(now), '0')

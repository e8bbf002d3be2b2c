local offset, place, owner, duration, maxRetries, maxBacklog, secret = ...

local lastFence, leased, token, holder, at, ends, retries, forgotten, first, last, look =
    get('fence', 'offset', 'token', 'owner', 'at', 'until', 'retries', 'forgotten', 'first', 'last', 'look')
-- Most domains have none of these keys: one check spares the others.
local more = redis.call('EXISTS', failed, backlog, done) > 0

local function take(since, attempts)
    -- Not merely one more than the last fence: a failover may have lost the last one.
    local fence = whole(math.max((lastFence or 0) + 1, instant))
    local fresh = fence .. '.' .. secret
    local newEnd = now + duration
    redis.call('HSET', state, 'fence', fence, 'offset', offset, 'place', place, 'token', fresh, 'owner', owner,
        'at', since, 'until', whole(newEnd), 'retries', attempts, 'before', attempts, 'look', lookBy(newEnd, look))
    return {'ACQUIRED', fresh, fence, attempts}
end

if more and failure(place) then
    return {'ALREADY_FAILED'}
end

if leased == offset then
    if holder == owner then
        -- Each call has a new secret. If the lease has the secret of this call, the client has sent the call twice.
        local code = token == lastFence .. '.' .. secret and 'ACQUIRED' or 'ALREADY_ACQUIRED'
        return {code, token, lastFence, retries}
    elseif now < tonumber(ends) then
        return {'HELD_ELSEWHERE', holder, ends}
    elseif tonumber(retries) >= tonumber(maxRetries) then
        giveUp(place, retries, 'lost+with+its+owner,+no+retry+left')
        local free = redis.call('EXISTS', backlog) > 0 and lookBy(0, look) or look
        redis.call('HSET', state, 'offset', '', 'look', free)
        return {'ALREADY_FAILED'}
    end
    return take(at, whole(retries + 1))
end

local waits = more and redis.call('ZSCORE', backlog, offset)
if not waits then
    local known = (forgotten and place <= forgotten) or (first and first <= place and place <= last)
    if known or (more and isOlder(place)) then
        return {'ALREADY_PROCESSED'}
    end
end

if leased and leased ~= '' then
    if not waits then
        if more and redis.call('ZCARD', backlog) >= tonumber(maxBacklog) then
            return {'BACKLOG_FULL', maxBacklog}
        end
        enqueue(offset)
    end
    return {'ENQUEUED'}
end

local head = more and redis.call('ZRANGE', backlog, 0, 0)[1]
if head and head ~= offset then
    return {'BACKLOG_ORDERING', head}
elseif head then
    redis.call('ZREM', backlog, offset)
    if waits == '0' then
        -- The offset was released: its first time and its retries are still known.
        return take(at, retries)
    end
end
return take(whole(now), '0')

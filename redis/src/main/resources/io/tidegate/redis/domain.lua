-- Stands before each script: the keys of a domain, and what several scripts do with them.
-- docs/design/work-lease-redis.md tells what the fields mean.
local state, backlog, queued, failed, done = unpack(KEYS)

local function get(field)
    return redis.call('HGET', state, field)
end

-- Lua would write large numbers with an exponent.
local function whole(number)
    return string.format('%.0f', number)
end

local function micros()
    local time = redis.call('TIME')
    return time[1] * 1000000 + time[2]
end

local function millis()
    return math.floor(micros() / 1000)
end

-- The place that follows. A place is text, 20 digits, as Lua's numbers are not exact from 2^53 on.
local function after(place)
    local kept, nines = string.match(place, '^(.-)(9*)$')
    return string.sub(kept, 1, -2) .. (string.sub(kept, -1) + 1) .. string.rep('0', #nines)
end

-- The run of processed places among the older ones that begins last, at this place or before it.
local function olderRun(place)
    local run = redis.call('ZREVRANGEBYLEX', done, '(' .. after(place), '-', 'LIMIT', 0, 1)[1]
    if run then
        return run, string.sub(run, 1, 20), string.sub(run, 22)
    end
end

local function isProcessed(place)
    local forgotten, first, last = unpack(redis.call('HMGET', state, 'forgotten', 'first', 'last'))
    if (forgotten and place <= forgotten) or (first and first <= place and place <= last) then
        return true
    end
    local run, _, ends = olderRun(place)
    return run and place <= ends
end

-- Makes the run that grew last grow, or an older one, which then is the one that grew last.
local function remember(place)
    if isProcessed(place) then
        return
    end
    local first, last = unpack(redis.call('HMGET', state, 'first', 'last'))
    if first and place == after(last) then
        redis.call('HSET', state, 'last', place)
        return
    elseif first and first == after(place) then
        redis.call('HSET', state, 'first', place)
        return
    elseif first then
        redis.call('ZADD', done, 0, first .. ':' .. last)
    end
    local run, begins, ends = olderRun(place)
    if run and place == after(ends) then
        redis.call('ZREM', done, run)
    else
        begins = place
    end
    redis.call('HSET', state, 'first', begins, 'last', place)
end

local function enqueue(offset)
    redis.call('RPUSH', backlog, offset)
    redis.call('SADD', queued, offset)
end

local function release()
    redis.call('HDEL', state, 'offset', 'place', 'token', 'owner', 'at', 'until', 'retries', 'before', 'call')
end

-- Ends the lease, and keeps the answer for whoever has to ask again.
local function finish(token, code, codeWithHint)
    release()
    local head = redis.call('LINDEX', backlog, 0)
    local answer = head and codeWithHint or code
    redis.call('HSET', state, 'lastToken', token, 'lastAnswer', answer, 'lastHint', head or '', 'changed', whole(millis()))
    return {answer, head or ''}
end

-- The answer that was kept, if this token got it and it is one of the two.
local function repeated(token, code, codeWithHint)
    local last, answer, hint = unpack(redis.call('HMGET', state, 'lastToken', 'lastAnswer', 'lastHint'))
    if last == token and (answer == code or answer == codeWithHint) then
        return {answer, hint}
    end
end

-- Why this token does not stand for the lease; nothing if it does.
local function refusal(token)
    local live = get('token')
    if not live then
        return {'LEASE_NOT_FOUND'}
    elseif live ~= token then
        return {'TOKEN_MISMATCH'}
    end
end

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

-- Whether a place is among what was forgotten or in the run.
local function covered(place)
    local forgotten, first, last = unpack(redis.call('HMGET', state, 'forgotten', 'first', 'last'))
    return (forgotten and place <= forgotten) or (first and first <= place and place <= last)
end

local function remember(place)
    local first, last = unpack(redis.call('HMGET', state, 'first', 'last'))
    if covered(place) then
        return
    elseif not first then
        redis.call('HSET', state, 'first', place, 'last', place)
    elseif place == after(last) then
        redis.call('HSET', state, 'last', place)
    elseif first == after(place) then
        redis.call('HSET', state, 'first', place)
    else
        redis.call('ZADD', done, 0, place)
    end
end

local function enqueue(offset)
    redis.call('RPUSH', backlog, offset)
    redis.call('SADD', queued, offset)
end

local function release()
    redis.call('HDEL', state, 'offset', 'place', 'token', 'owner', 'at', 'until', 'retries', 'call')
end

-- Ends the lease, and keeps the answer for whoever has to ask again.
local function finish(token, code, codeWithHint)
    release()
    local head = redis.call('LINDEX', backlog, 0)
    local answer = head and codeWithHint or code
    redis.call('HSET', state, 'lastToken', token, 'lastAnswer', answer, 'lastHint', head or '')
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

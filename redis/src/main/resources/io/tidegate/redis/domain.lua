-- Stands before each script of leases: the keys of the domain that it is about, and what several scripts do with them.
-- docs/design/work-lease-redis.md tells what the fields mean.
local lookAt, state, backlog, failed, done

local function turnTo(...)
    lookAt, state, backlog, failed, done = ...
end

local function micros()
    local time = redis.call('TIME')
    return time[1] * 1000000 + time[2]
end

local instant = micros()
local now = math.floor(instant / 1000)

-- Lua would write large numbers with an exponent.
local function whole(number)
    return string.format('%d', number)
end

-- The fields of these names; false where there is none.
local function get(...)
    return unpack(redis.call('HMGET', state, ...))
end

-- What all keys of the shard begin with.
local function shard()
    return string.sub(lookAt, 1, -1 - #'look_at')
end

-- The domain, as it is called in lookAt.
local function domain()
    return string.sub(state, #shard() + 1, -1 - #':state')
end

-- Sees to it that somebody looks at the domain at this time or before it. Returns what the field look has to be then.
local function lookBy(time, look)
    if look and look ~= '' and tonumber(look) <= time then
        return look
    end
    redis.call('ZADD', lookAt, whole(time), domain())
    return whole(time)
end

-- The place that follows. A place is text, 20 digits, as Lua's numbers are not exact from 2^53 on.
local function after(place)
    local kept = string.byte(place, -1) < 57 and place or string.match(place, '^(.-)9*$')
    return string.sub(kept, 1, -2) .. (string.sub(kept, -1) + 1) .. string.rep('0', #place - #kept)
end

-- The run of processed places among the older ones that begins last, at this place or before it.
local function olderRun(place)
    local run = redis.call('ZREVRANGEBYLEX', done, '(' .. after(place), '-', 'LIMIT', 0, 1)[1]
    if run then
        return run, string.sub(run, 1, 20), string.sub(run, 22)
    end
end

-- What the run that grew last, or nothing, is when this place has been processed: that one or an older one has grown, or there is a new one. The
-- place was leased or had failed, so it is in none of them.
local function grown(place, forgotten, first, last)
    local some = first and first ~= ''
    if forgotten and place <= forgotten then
        return first or '', last or ''
    elseif some and place == after(last) then
        return first, place
    elseif some and first == after(place) then
        return place, last
    elseif some then
        redis.call('ZADD', done, 0, first .. ':' .. last)
    end
    local run, begins, ends = olderRun(place)
    if run and place == after(ends) then
        redis.call('ZREM', done, run)
        return begins, place
    end
    return place, place
end

local function enqueue(offset)
    redis.call('ZADD', backlog, redis.call('HINCRBY', state, 'tail', 1), offset)
end

-- What is kept of the failure of this place, if it has failed for good. An entry is the place, the time, the retries and the reason.
local function failure(place)
    return redis.call('ZRANGEBYLEX', failed, '[' .. place, '(' .. place .. '!', 'LIMIT', 0, 1)[1]
end

local function giveUp(place, retries, reason)
    redis.call('ZADD', failed, 0, table.concat({place, whole(now), retries, reason}, ' '))
end

-- Ends the lease, and keeps the answer for whoever has to ask again. More fields may follow, with their values.
local function finish(token, look, code, codeWithHint, ...)
    local head = redis.call('ZRANGE', backlog, 0, 0)[1]
    local answer = code
    if head then
        answer = codeWithHint .. ' ' .. head
        look = lookBy(0, look)
    end
    redis.call('HSET', state, 'offset', '', 'look', look, 'lastToken', token, 'lastAnswer', answer,
        'changed', whole(now), ...)
    return {answer}
end

-- The answer that was kept, if this token got it and it is one of the two.
local function repeated(token, code, codeWithHint, lastToken, lastAnswer)
    if lastToken == token and (lastAnswer == code or string.sub(lastAnswer, 1, #codeWithHint) == codeWithHint) then
        return {lastAnswer}
    end
end

-- Why this token does not stand for the lease; nothing if it does.
local function refusal(token, leased, live)
    if not leased or leased == '' then
        return {'LEASE_NOT_FOUND'}
    elseif live ~= token then
        return {'TOKEN_MISMATCH'}
    end
end

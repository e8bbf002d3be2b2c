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

-- All domains of the shard, in the order of their names.
local function names()
    return shard() .. 'names'
end

-- Sees to it that somebody looks at the domain at this time or before it. Returns what the field look has to be then.
local function lookBy(time, look)
    if look and look ~= '' and tonumber(look) <= time then
        return look
    elseif not look then
        -- It is new.
        redis.call('ZADD', names(), 0, domain())
    end
    redis.call('ZADD', lookAt, whole(time), domain())
    return whole(time)
end

-- The place that follows. A place is text, 20 digits, as Lua's numbers are not exact from 2^53 on.
local function after(place)
    local kept = string.byte(place, -1) < 57 and place or string.match(place, '^(.-)9*$')
    return string.sub(kept, 1, -2) .. (string.sub(kept, -1) + 1) .. string.rep('0', #place - #kept)
end

-- How far it is from a place to a later one; not exact beyond 2^53.
local function distance(place, later)
    return (string.sub(later, 1, 10) - string.sub(place, 1, 10)) * 1e10 + (string.sub(later, 11) - string.sub(place, 11))
end

-- The place that is so far behind this one.
local function plus(place, far)
    local low = string.sub(place, 11) + far % 1e10
    local high = string.sub(place, 1, 10) + math.floor(far / 1e10) + math.floor(low / 1e10)
    return string.format('%010d%010d', high, low % 1e10)
end

-- Older runs of processed places are in leaves: first:last, all places from the one to the other, or first:last:runs, where runs says what of it is
-- there. That is the first run's length less one, and for each run that follows the places left out before it, less one, doubled, and one more if
-- the run's length less two is next; otherwise the length is one. A number is characters of five bits each, the lowest first, '0' and above, but
-- 'P' and above if another one follows.
local mostText, mostSpan = 460, 2^50
local byte, floor, sub = string.byte, math.floor, string.sub

local function written(number)
    local text = ''
    while number >= 32 do
        text = text .. string.char(80 + number % 32)
        number = floor(number / 32)
    end
    return text .. string.char(48 + number)
end

-- The number here, and where the next one is.
local function numberAt(text, i)
    local number, unit, digit = 0, 1, byte(text, i)
    while digit >= 80 do
        number = number + unit * (digit - 80)
        i, unit = i + 1, unit * 32
        digit = byte(text, i)
    end
    return number + unit * (digit - 48), i + 1
end

local function writtenRun(left, length)
    return length == 1 and written(2 * left - 2) or written(2 * left - 1) .. written(length - 2)
end

local function parts(leaf)
    local first, last, runs = sub(leaf, 1, 20), sub(leaf, 22, 41), sub(leaf, 43)
    return first, last, runs == '' and written(distance(first, last)) or runs
end

local function addLeaf(first, last, runs)
    local _, second = numberAt(runs, 1)
    redis.call('ZADD', done, 0, first .. ':' .. last .. (second > #runs and '' or ':' .. runs))
end

-- The last run that begins here or before, counted from the first place: its begin, its end, and where it is written; and the same of the one that
-- follows, if there is one, and where it ends. Stops at a run that is written behind `most`, if that is before.
local function around(runs, at, most)
    local start, i = 0, 1
    local stop, j = numberAt(runs, 1)
    while j <= #runs do
        local left, k = byte(runs, j) - 48, j + 1
        if left >= 32 then
            left, k = numberAt(runs, j)
        end
        local length = 1
        if left % 2 == 1 then
            length, k = numberAt(runs, k)
            length = length + 2
        end
        local nextStart = stop + floor(left / 2) + 2
        if nextStart > at or j > most then
            return start, stop, i, j, nextStart, nextStart + length - 1, k
        end
        start, stop, i, j = nextStart, nextStart + length - 1, j, k
    end
    return start, stop, i, j
end

-- The leaf that begins last, at this place or before it.
local function leafBefore(place)
    return redis.call('ZREVRANGEBYLEX', done, '(' .. after(place), '-', 'LIMIT', 0, 1)[1]
end

local function isOlder(place)
    local leaf = leafBefore(place)
    if not leaf or place > sub(leaf, 22, 41) then
        return false
    end
    local first, _, runs = parts(leaf)
    local at = distance(first, place)
    local _, stop = around(runs, at, #runs)
    return at <= stop
end

-- Puts a run into the middle of a leaf, or at its end: as a run of its own, or joined with those that it touches.
local function addInside(leaf, first, last)
    local base, leafLast, runs = parts(leaf)
    local at, stopAt = distance(base, first), distance(base, last)
    local start, stop, i, j, nextStart, nextStop, k = around(runs, at, #runs)
    local rest = ''
    if nextStart == stopAt + 1 then
        stopAt, rest = nextStop, sub(runs, k)
    elseif nextStart then
        rest = writtenRun(nextStart - stopAt - 1, nextStop - nextStart + 1) .. sub(runs, k)
    end
    if stop + 1 < at then
        runs = sub(runs, 1, j - 1) .. writtenRun(at - stop - 1, stopAt - at + 1) .. rest
    elseif i == 1 then
        runs = written(stopAt - start) .. rest
    else
        runs = sub(runs, 1, i - 1) .. writtenRun(floor(numberAt(runs, i) / 2) + 1, stopAt - start + 1) .. rest
    end
    leafLast = last > leafLast and last or leafLast
    redis.call('ZREM', done, leaf)
    if #runs <= mostText then
        addLeaf(base, leafLast, runs)
        return
    end
    local _, half, _, cut, upperStart, upperStop, upper = around(runs, mostSpan, #runs / 2)
    addLeaf(base, plus(base, half), sub(runs, 1, cut - 1))
    addLeaf(plus(base, upperStart), leafLast, written(upperStop - upperStart) .. sub(runs, upper))
end

-- Puts a run, of which nothing is there yet, into the leaf before it or after it, or into a leaf of its own.
local function addRun(first, last)
    local before = leafBefore(first)
    if before then
        local base, leafLast, runs = parts(before)
        local left = distance(leafLast, first) - 1
        if left <= 0 then
            return addInside(before, first, last)
        elseif #runs < mostText and distance(base, last) < mostSpan then
            -- Behind all of it: nothing need be read.
            redis.call('ZREM', done, before)
            return addLeaf(base, last, runs .. writtenRun(left, distance(first, last) + 1))
        end
    end
    local behind = redis.call('ZRANGEBYLEX', done, '(' .. first, '+', 'LIMIT', 0, 1)[1]
    if behind then
        local base, leafLast, runs = parts(behind)
        if #runs < mostText and distance(first, leafLast) < mostSpan then
            local left, stop, second = distance(last, base) - 1, numberAt(runs, 1)
            runs = (left == 0 and written(distance(first, base) + stop)
                or written(distance(first, last)) .. writtenRun(left, stop + 1)) .. sub(runs, second)
            redis.call('ZREM', done, behind)
            return addLeaf(first, leafLast, runs)
        end
    end
    redis.call('ZADD', done, 0, first .. ':' .. last)
end

-- What the run that grew last is when this place has been processed: that one, longer, or a new one. The place was leased or had failed, so it is in
-- none yet.
local function grown(place, forgotten, first, last)
    local some = first and first ~= ''
    if forgotten and place <= forgotten then
        return first or '', last or ''
    elseif some and place == after(last) then
        return first, place
    elseif some and first == after(place) then
        return place, last
    elseif some then
        addRun(first, last)
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

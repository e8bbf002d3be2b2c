-- Begins each script of leases: the keys of its domain, and functions that several scripts share.
-- docs/design/work-lease-redis.md explains the fields.
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

-- The fields of these names; false for each that is missing.
local function get(...)
    return unpack(redis.call('HMGET', state, ...))
end

-- The beginning of all keys of the shard.
local function shard()
    return string.sub(lookAt, 1, -1 - #'look_at')
end

-- The domain's name, as it is in lookAt.
local function domain()
    return string.sub(state, #shard() + 1, -1 - #':state')
end

-- The key of the list of the shard's domains, which are in the order of their names.
local function names()
    return shard() .. 'names'
end

-- Makes sure that a process looks at the domain at this time or earlier. Returns the new value of the field look.
local function lookBy(time, look)
    if look and look ~= '' and tonumber(look) <= time then
        return look
    elseif not look then
        -- The domain is new.
        redis.call('ZADD', names(), 0, domain())
    end
    redis.call('ZADD', lookAt, whole(time), domain())
    return whole(time)
end

-- The next place. A place is a text of 20 digits, because Lua's numbers are not exact from 2^53 on.
local function after(place)
    local kept = string.byte(place, -1) < 57 and place or string.match(place, '^(.-)9*$')
    return string.sub(kept, 1, -2) .. (string.sub(kept, -1) + 1) .. string.rep('0', #place - #kept)
end

-- The distance from a place to a later one; not exact beyond 2^53.
local function distance(place, later)
    return (string.sub(later, 1, 10) - string.sub(place, 1, 10)) * 1e10 + (string.sub(later, 11) - string.sub(place, 11))
end

-- The place at this distance behind a place.
local function plus(place, far)
    local low = string.sub(place, 11) + far % 1e10
    local high = string.sub(place, 1, 10) + math.floor(far / 1e10) + math.floor(low / 1e10)
    return string.format('%010d%010d', high, low % 1e10)
end

-- Older runs of processed places are in leaves: first:last, if all places from the first to the last are processed, or
-- first:last:runs, if only some are. The text runs begins with the first run's length less 1. Each further run follows
-- as the number of places left out before it, less 1, doubled; plus 1 if the run's length less 2 is written next;
-- otherwise the length is 1. A number is written with five bits in each character, the lowest first, as '0' and above,
-- or 'P' and above if another character follows.
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

-- The number that begins at this index, and the index behind it.
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

-- The last run that begins at this distance from the first place, or before it: its begin, its end, and the indexes at
-- which its text begins and ends; then the begin, end and end index of the next run, if there is one. Stops early at a
-- run that is written behind `most`.
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

-- The last leaf that begins at this place or before it.
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

-- Puts a run into the middle of a leaf, or at its end: as a separate run, or joined with the runs that it touches.
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

-- Puts a run, of which no place is processed yet, into the leaf before it or after it, or into a leaf of its own.
local function addRun(first, last)
    local before = leafBefore(first)
    if before then
        local base, leafLast, runs = parts(before)
        local left = distance(leafLast, first) - 1
        if left <= 0 then
            return addInside(before, first, last)
        elseif #runs < mostText and distance(base, last) < mostSpan then
            -- The run comes behind the leaf: its runs need not be read.
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

-- Returns the run that grew last, after this place is processed: the same run, longer, or a new run. The place was
-- leased or had failed, so it is in no run yet.
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

-- The entry of this place if it has failed for good: the place, the time, the retries and the reason.
local function failure(place)
    return redis.call('ZRANGEBYLEX', failed, '[' .. place, '(' .. place .. '!', 'LIMIT', 0, 1)[1]
end

local function giveUp(place, retries, reason)
    redis.call('ZADD', failed, 0, table.concat({place, whole(now), retries, reason}, ' '))
end

-- Ends the lease, and keeps the answer for a repeated call. Further fields and their values may follow.
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

-- The kept answer, if it was given to this token and is one of the two codes.
local function repeated(token, code, codeWithHint, lastToken, lastAnswer)
    if lastToken == token and (lastAnswer == code or string.sub(lastAnswer, 1, #codeWithHint) == codeWithHint) then
        return {lastAnswer}
    end
end

-- Why this token is not the lease's token; nothing if it is.
local function refusal(token, leased, live)
    if not leased or leased == '' then
        return {'LEASE_NOT_FOUND'}
    elseif live ~= token then
        return {'TOKEN_MISMATCH'}
    end
end

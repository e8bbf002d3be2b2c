-- Begins each script of a shared cap: its keys, and its members. A member is text: number, slice, held, need, exact,
-- turn_at, asked_at, lease_until, lack. docs/design/cluster-bulkhead.md explains the fields.
local cap_key, slices_key, sums_key

local function turnTo(...)
    cap_key, slices_key, sums_key = ...
end

-- Lua would write large numbers with an exponent.
local function whole(number)
    return string.format('%d', number)
end

local function millis()
    local time = redis.call('TIME')
    return time[1] * 1000 + math.floor(time[2] / 1000)
end

local fields = {'number', 'slice', 'held', 'need', 'exact', 'turn_at', 'asked_at', 'lease_until', 'lack'}
-- the fields of a member that the first version wrote
local first_fields = {'number', 'slice', 'held', 'need', 'turn_at', 'lease_until'}

local function member(owner, text)
    local m = {owner = owner, exact = 0, asked_at = 0, lack = 0}
    local _, count = string.gsub(text, '%S+', '')
    local words = string.gmatch(text, '%S+')
    for _, field in ipairs(count == #first_fields and first_fields or fields) do
        m[field] = tonumber(words() or 0)
    end
    m.exact = m.exact == 1
    -- written by a version that does not keep the sums right
    m.is_old = count < #fields
    return m
end

local function keep(m)
    redis.call('HSET', slices_key, m.owner, table.concat({
        whole(m.number), whole(m.slice), whole(m.held), whole(m.need), m.exact and '1' or '0', whole(m.turn_at), whole(m.asked_at),
        whole(m.lease_until), whole(m.lack)}, ' '))
end

-- The members whose lease has not ended, in order of their names, and the names of the other members.
local function members(now)
    local all, ended = {}, {}
    local entries = redis.call('HGETALL', slices_key)
    for i = 1, #entries, 2 do
        local m = member(entries[i], entries[i + 1])
        if m.lease_until > now then
            all[#all + 1] = m
        else
            ended[#ended + 1] = m.owner
        end
    end
    table.sort(all, function(a, b)
        return a.owner < b.owner
    end)
    return all, ended
end

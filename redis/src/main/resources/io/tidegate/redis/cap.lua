-- Stands before each script of a shared cap: its keys, and its members.
-- A member is text: number, slice, held, need, exact, turn_at, asked_at, lease_until. docs/design/cluster-bulkhead.md tells what they mean.
local cap_key, slices_key

local function turnTo(...)
    cap_key, slices_key = ...
end

-- Lua would write large numbers with an exponent.
local function whole(number)
    return string.format('%d', number)
end

local function millis()
    local time = redis.call('TIME')
    return time[1] * 1000 + math.floor(time[2] / 1000)
end

local fields = {'number', 'slice', 'held', 'need', 'exact', 'turn_at', 'asked_at', 'lease_until'}
-- as members of the version before write it
local first_fields = {'number', 'slice', 'held', 'need', 'turn_at', 'lease_until'}

-- Those whose lease has not ended, by owner, and the owners in order.
local function members(now)
    local all, owners, ended = {}, {}, {}
    local entries = redis.call('HGETALL', slices_key)
    for i = 1, #entries, 2 do
        local m = {owner = entries[i], exact = 0, asked_at = 0}
        local _, count = string.gsub(entries[i + 1], '%S+', '')
        local words = string.gmatch(entries[i + 1], '%S+')
        for _, field in ipairs(count == 6 and first_fields or fields) do
            m[field] = tonumber(words())
        end
        m.exact = m.exact == 1
        if m.lease_until > now then
            all[m.owner] = m
            owners[#owners + 1] = m.owner
        else
            ended[#ended + 1] = m.owner
        end
    end
    table.sort(owners)
    return all, owners, ended
end

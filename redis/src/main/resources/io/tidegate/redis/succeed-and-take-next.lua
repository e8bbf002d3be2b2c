local token, owner, duration, maxRetries, maxBacklog, secret = ...

-- The place of an offset is the offset plus 2^63. It is computed in two halves, because Lua's numbers are not exact
-- from 2^53 on.
local function placeOf(offset)
    local digits = string.format('%20s', string.match(offset, '%d+'))
    local high, low = tonumber(sub(digits, 1, 10)) or 0, tonumber(sub(digits, 11))
    if byte(offset) == 45 then
        high, low = -high, -low
    end
    high, low = high + 922337203, low + 6854775808
    return string.format('%010d%010d', high + floor(low / 1e10), low % 1e10)
end

local said = succeed(token)
local hint = string.match(said[1], '^NEXT_HINT (.*)')
if hint then
    for _, word in ipairs(acquire(hint, placeOf(hint), owner, duration, maxRetries, maxBacklog, secret)) do
        said[#said + 1] = word
    end
end
return said

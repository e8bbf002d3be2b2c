-- Returns some domains of the shard, and where to go on. Every domain that exists from the first call to the last is
-- returned, some of them twice.
local cursor = ...

local goOn, found = unpack(redis.call('ZSCAN', lookAt, cursor, 'COUNT', 100))
local answer = {'DOMAINS', goOn}
for i = 1, #found, 2 do
    answer[#answer + 1] = found[i]
end
return answer

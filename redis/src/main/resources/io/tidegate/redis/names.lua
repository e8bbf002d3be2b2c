-- Returns domains of the shard, in the order of their names, and where to go on if there may be more. Domains that an
-- earlier version has made are missing in names: then the script first adds some from lookAt, and answers AGAIN and
-- where to go on with that.
local afterDomain, limit, most, cursor = ...

if cursor ~= 'END' and redis.call('ZCARD', names()) < redis.call('ZCARD', lookAt) then
    local goOn, found = unpack(redis.call('ZSCAN', lookAt, cursor, 'COUNT', 100))
    for i = 1, #found, 2 do
        redis.call('ZADD', names(), 0, found[i])
    end
    return {'AGAIN', goOn == '0' and 'END' or goOn}
end

most = math.min(limit, most)
local answer = redis.call('ZRANGEBYLEX', names(), afterDomain == '' and '-' or '(' .. afterDomain, '+', 'LIMIT', 0, most)
local last = #answer == most and answer[most] or ''
table.insert(answer, 1, 'NAMES')
table.insert(answer, 2, last)
return answer

local cap = redis.call('GET', cap_key)
if not cap then
    return {}
end
local now = millis()
local answer = {cap}
for _, m in ipairs((members(now))) do
    for _, word in ipairs({m.owner, whole(m.slice), whole(m.held), whole(m.need), whole(m.lease_until - now)}) do
        answer[#answer + 1] = word
    end
end
return answer

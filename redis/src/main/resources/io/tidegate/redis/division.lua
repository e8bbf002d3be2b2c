local cap = redis.call('GET', cap_key)
if not cap then
    return {}
end
local now = millis()
local all, owners = members(now)
local answer = {cap}
for _, owner in ipairs(owners) do
    local m = all[owner]
    for _, word in ipairs({owner, whole(m.slice), whole(m.held), whole(m.need), whole(m.lease_until - now)}) do
        answer[#answer + 1] = word
    end
end
return answer

local limit = ...

local answer = {'FAILED'}
for _, entry in ipairs(redis.call('ZRANGE', failed, 0, limit - 1)) do
    answer[#answer + 1] = entry
end
return answer

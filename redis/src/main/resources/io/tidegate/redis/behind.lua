local offset, limit = ...

local rank = redis.call('ZRANK', backlog, offset)
local answer = rank and redis.call('ZRANGE', backlog, rank + 1, rank + limit) or {}
table.insert(answer, 1, 'BEHIND')
return answer

local limit = ...

local answer = redis.call('ZRANGE', failed, 0, limit - 1, 'WITHSCORES')
table.insert(answer, 1, 'FAILED')
return answer

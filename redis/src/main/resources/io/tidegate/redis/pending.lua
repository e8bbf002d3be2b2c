-- Returns domains of the shard that have work and no owner, in the order of their names, and where to go on if there
-- may be more. Looks at no more than `most` domains, and answers AGAIN if it must look at others first.
local afterDomain, limit, most = ...
limit, most = tonumber(limit), tonumber(most)

-- Returns whether the domain is pending, and corrects its place in lookAt.
local function isPending(name)
    state, backlog = shard() .. name .. ':state', shard() .. name .. ':backlog'
    -- Both keys in one command: a cluster that is moving the slot refuses it if one key is elsewhere. Two commands
    -- would take that key for missing.
    local there = redis.call('EXISTS', state, backlog)
    if there == 0 then
        redis.call('ZREM', lookAt, name)
        return false
    end
    local leased, ends, look = get('offset', 'until', 'look')
    local right = ''
    if leased and leased ~= '' then
        right = tonumber(ends) <= now and '0' or ends
    elseif there == 2 then
        right = '0'
    end
    if look ~= right then
        redis.call('ZADD', lookAt, right == '' and '+inf' or right, name)
        redis.call('HSET', state, 'look', right)
    end
    return right == '0'
end

-- Compares bytes: Lua would compare by the server's locale.
local function isBehind(one, other)
    for i = 1, math.min(#one, #other) do
        local left, right = string.byte(one, i), string.byte(other, i)
        if left ~= right then
            return left > right
        end
    end
    return #one > #other
end

local past = redis.call('ZRANGEBYSCORE', lookAt, '(0', whole(now), 'LIMIT', 0, most)
for _, name in ipairs(past) do
    isPending(name)
end
if #past == most then
    return {'AGAIN', ''}
end

-- Domains that need an owner now have the score 0, so they come first, in the order of their names.
local due = redis.call('ZCOUNT', lookAt, 0, 0)
local rank, over = 0, afterDomain == '' and 0 or due
while rank < over do
    local middle = math.floor((rank + over) / 2)
    if isBehind(redis.call('ZRANGE', lookAt, middle, middle)[1], afterDomain) then
        over = middle
    else
        rank = middle + 1
    end
end

local answer = {'PENDING', ''}
local looked, lastName = 0, ''
while rank < due and #answer - 2 < limit and looked < most do
    local some = math.min(due - rank, limit - (#answer - 2), most - looked)
    local names = redis.call('ZRANGE', lookAt, rank, rank + some - 1)
    for _, name in ipairs(names) do
        looked, lastName = looked + 1, name
        if isPending(name) then
            answer[#answer + 1] = name
            rank = rank + 1
        else
            due = due - 1
        end
    end
end
if rank < due then
    answer[2] = lastName
end
return answer

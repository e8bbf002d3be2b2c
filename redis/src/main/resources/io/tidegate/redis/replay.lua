local offset, place = ...

local entry = failure(place)
if not entry then
    return {'NOT_FAILED'}
end
redis.call('ZREM', failed, entry)
enqueue(offset)
local leased, look = get('offset', 'look')
if leased == '' then
    redis.call('HSET', state, 'look', lookBy(0, look))
end
return {'REPLAYED'}

local offset, place = ...

if redis.call('ZREM', failed, place) == 0 then
    return {'NOT_FAILED'}
end
enqueue(offset)
return {'REPLAYED'}

local offset = ARGV[1]

if redis.call('SREM', failed, offset) == 0 then
    return {'NOT_FAILED'}
end
enqueue(offset)
return {'REPLAYED'}

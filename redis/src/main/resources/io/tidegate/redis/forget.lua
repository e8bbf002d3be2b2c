local place = ARGV[1]

local forgotten, last = unpack(redis.call('HMGET', state, 'forgotten', 'last'))
if not forgotten or forgotten < place then
    redis.call('HSET', state, 'forgotten', place)
    redis.call('ZREMRANGEBYLEX', done, '-', '[' .. place)
    if last and last <= place then
        redis.call('HDEL', state, 'first', 'last')
    end
end
return {'FORGOTTEN'}

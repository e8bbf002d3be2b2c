local place = ...

local forgotten, last, look = get('forgotten', 'last', 'look')
if not forgotten or forgotten < place then
    local run, _, ends = olderRun(place)
    -- Removes first: after that a full server lets the script add.
    redis.call('ZREMRANGEBYLEX', done, '-', '(' .. after(place))
    if not look then
        redis.call('ZADD', lookAt, '+inf', domain())
    end
    redis.call('HSET', state, 'forgotten', place, 'changed', whole(now), 'look', look or '')
    if run and ends > place then
        redis.call('ZADD', done, 0, run)
    end
    if last and last <= place then
        redis.call('HDEL', state, 'first', 'last')
    end
end
return {'FORGOTTEN'}

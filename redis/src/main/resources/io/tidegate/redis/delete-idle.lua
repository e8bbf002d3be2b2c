local idle = ...

local leased, changed, fence = get('offset', 'changed', 'fence')
if (leased and leased ~= '') or not changed or redis.call('EXISTS', backlog, failed) > 0
    or instant / 1000 - changed < tonumber(idle)
    -- The next fence of the domain's name is the time, which must be greater than the last one.
    or tonumber(fence or 0) >= instant then
    return {'KEPT'}
end
redis.call('UNLINK', state, done)
redis.call('ZREM', names(), domain())
redis.call('ZREM', lookAt, domain())
return {'DELETED'}

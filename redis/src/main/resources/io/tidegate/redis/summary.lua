if redis.call('EXISTS', state) == 0 then
    -- The domain has gone since it was listed, or was deleted by an earlier version, which does not know the list of
    -- names.
    redis.call('ZREM', names(), domain())
    return {'UNKNOWN'}
end

local leased, holder, fence, at, ends, retries, processed =
    get('offset', 'owner', 'fence', 'at', 'until', 'retries', 'processed')
return {
    'KNOWN',
    processed or '0',
    whole(redis.call('ZCARD', failed)),
    whole(redis.call('ZCARD', backlog)),
    leased or '',
    holder or '',
    fence or '0',
    at or '0',
    retries or '0',
    ends or '0',
}

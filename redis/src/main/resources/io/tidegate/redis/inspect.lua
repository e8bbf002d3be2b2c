local owner, most = ...

if redis.call('EXISTS', state) == 0 then
    return {'UNKNOWN'}
end

local leased, token, holder, fence, at, retries, processed =
    get('offset', 'token', 'owner', 'fence', 'at', 'retries', 'processed')
local snapshot = {
    'KNOWN',
    processed or '0',
    whole(redis.call('ZCARD', failed)),
    leased or '',
    -- Only the owner gets the token.
    holder == owner and token or '',
    fence or '0',
    at or '0',
    retries or '0',
}
for _, waiting in ipairs(redis.call('ZRANGE', backlog, 0, most - 1)) do
    snapshot[#snapshot + 1] = waiting
end
return snapshot

-- Makes the domain from the copied entries, if all are there. The arguments are the number of entries of each part,
-- then the fields of the state.
if redis.call('EXISTS', state) == 1 then
    return {get('adopted') and 'ADOPTED' or 'KNOWN'}
end
local parts = {backlog, failed, done}
for i, part in ipairs(parts) do
    if redis.call('ZCARD', KEYS[5 + i]) ~= tonumber((select(i, ...))) then
        redis.call('UNLINK', KEYS[6], KEYS[7], KEYS[8])
        return {'INCOMPLETE'}
    end
end
for i, part in ipairs(parts) do
    if redis.call('EXISTS', KEYS[5 + i]) == 1 then
        redis.call('RENAME', KEYS[5 + i], part)
    end
end
redis.call('ZADD', names(), 0, domain())
redis.call('ZADD', lookAt, 0, domain())
redis.call('HSET', state, 'look', '0', 'tail', (...), 'adopted', '1', select(4, ...))
return {'ADOPTED'}

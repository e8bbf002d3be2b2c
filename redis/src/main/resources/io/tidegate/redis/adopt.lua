-- Copies some entries of one part of a domain to a temporary key: scores and entries. Does nothing if the domain exists
-- already.
if redis.call('EXISTS', state) == 1 then
    return {'KNOWN'}
end
redis.call('ZADD', KEYS[#KEYS], ...)
return {'ASIDE'}

-- Puts some of a part of a domain aside: scores and entries. Nothing if the domain is known already.
if redis.call('EXISTS', state) == 1 then
    return {'KNOWN'}
end
redis.call('ZADD', KEYS[#KEYS], ...)
return {'ASIDE'}

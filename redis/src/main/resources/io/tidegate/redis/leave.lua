redis.call('HDEL', slices_key, (...))
return {}

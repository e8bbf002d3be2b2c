redis.call('SET', cap_key, (...))
return {}

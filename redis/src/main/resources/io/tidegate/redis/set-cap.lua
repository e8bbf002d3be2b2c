redis.call('SET', cap_key, ARGV[1])
return {}

redis.call('HDEL', slices_key, ARGV[1])
return {}

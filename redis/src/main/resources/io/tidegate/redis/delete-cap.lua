if #members(millis()) > 0 or redis.call('EXISTS', cap_key) == 0 then
    return {'kept'}
end
redis.call('DEL', cap_key, slices_key, sums_key)
return {'deleted'}

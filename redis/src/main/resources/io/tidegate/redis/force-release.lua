local fence, call = ...

local leased, live, lastFence, lastCall = get('offset', 'token', 'fence', 'call')
if lastCall ~= call and (not leased or leased == '' or lastFence ~= fence) then
    return {'LEASE_NOT_FOUND'}
end
return release(live, call)

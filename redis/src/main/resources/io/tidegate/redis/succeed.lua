local token = ARGV[1]

local answered = repeated(token, 'NO_BACKLOG', 'NEXT_HINT') or refusal(token)
if answered then
    return answered
end

remember(get('place'))
redis.call('HINCRBY', state, 'processed', 1)
return finish(token, 'NO_BACKLOG', 'NEXT_HINT')

local token = ...

local leased, live, lastToken, lastAnswer, place, processed, forgotten, first, last =
    get('offset', 'token', 'lastToken', 'lastAnswer', 'place', 'processed', 'forgotten', 'first', 'last')
local answered = repeated(token, 'NO_BACKLOG', 'NEXT_HINT', lastToken, lastAnswer) or refusal(token, leased, live)
if answered then
    return answered
end

first, last = grown(place, forgotten, first, last)
return finish(token, 'NO_BACKLOG', 'NEXT_HINT', 'processed', whole((processed or 0) + 1), 'first', first, 'last', last)

-- Ends each script: calls its function once for each domain or cap of the command. The first argument is the number of
-- calls. All calls have the same number of keys and arguments. A refused call does not stop the others.
local calls = tonumber(ARGV[1])
local keys, words = #KEYS / calls, (#ARGV - 1) / calls
local answers = {}
for i = 0, calls - 1 do
    turnTo(unpack(KEYS, i * keys + 1, i * keys + keys))
    local answered, said = pcall(answer, unpack(ARGV, i * words + 2, i * words + words + 1))
    if answered then
        answers[i + 1] = table.concat(said, ' ')
    else
        -- Depending on the server, the error is a text or a table with the text. It may have several lines.
        local reason = type(said) == 'table' and said.err or tostring(said)
        answers[i + 1] = 'REFUSED ' .. string.gsub(reason, '%c+', ' ')
    end
end
return table.concat(answers, '\n')

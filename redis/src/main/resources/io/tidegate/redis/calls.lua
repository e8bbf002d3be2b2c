-- Stands after each script: calls it once for each thing that it is about. The first argument says how many these are; each has as many keys and
-- arguments as the others. What one is refused does not hinder the others.
local calls = tonumber(ARGV[1])
local keys, words = #KEYS / calls, (#ARGV - 1) / calls
local answers = {}
for i = 0, calls - 1 do
    turnTo(unpack(KEYS, i * keys + 1, i * keys + keys))
    local answered, said = pcall(answer, unpack(ARGV, i * words + 2, i * words + words + 1))
    if answered then
        answers[i + 1] = table.concat(said, ' ')
    else
        -- Servers differ: a text, or a table with the text; and it may have several lines.
        local reason = type(said) == 'table' and said.err or tostring(said)
        answers[i + 1] = 'REFUSED ' .. string.gsub(reason, '%c+', ' ')
    end
end
return table.concat(answers, '\n')

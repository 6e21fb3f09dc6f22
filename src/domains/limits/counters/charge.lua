-- Charges counters: each check by itself charges all of its uses or none, one check after the other. The main part of
-- a script that `scripts.ts` composes.
--
-- KEYS     those of the first check, each once, then those of the second, and so on; several checks may name the same
-- ARGV     1 the time, see values.lua; 2 a name that no other call has; 3 for each check which of the texts that
--          follow has its uses, a JSON list, from 1; 4 the name of each use or false, a JSON list, or empty where none
--          has one; from 5 on those texts, see uses.lua
-- Answers  see checks.lua. Records are written once, when all checks are decided
fetch()
if ARGV[4] ~= '' then
  names = cjson.decode(ARGV[4])
end
local kinds, place, keys = {}, 0, 0
for kind = 5, #ARGV do
  kinds[kind - 4] = uses_of(ARGV[kind], true)
end
for _, kind in ipairs(cjson.decode(ARGV[3])) do
  local uses = kinds[kind]
  look(uses, keys, place, true)
  place, keys = place + #uses, keys + #uses.groups
end
write_records()
return answers()

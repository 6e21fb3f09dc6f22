-- Reads the counters of one check and charges none. The main part of a script that `scripts.ts` composes.
--
-- KEYS     those of the uses, each once
-- ARGV     1 the time, see values.lua; 2 the uses, see uses.lua
-- Answers  see checks.lua
fetch()
look(uses_of(ARGV[2], false), 0, 0, false)
return answers()

-- Reads counters and charges none. The main part of a script that `scripts.ts` composes.
--
-- KEYS     one for each use
-- ARGV     1 the time, see values.lua; 2 the uses, see uses.lua
-- Answers  three integers for each use: what is in use, see values.lua; when it resets (ms since the epoch); and how
--          long until the charge fits (ms; 0 fits now, -1 never)
local answers = {}
fetch()
for i, use in ipairs(uses_of(ARGV[2])) do
  local wait, in_use, reset_at = use.read(KEYS[i], use)
  answers[3 * i - 2] = in_use
  answers[3 * i - 1] = ceil(reset_at / 1000)
  answers[3 * i] = wait > 0 and ceil(wait / 1000) or wait
end
return answers

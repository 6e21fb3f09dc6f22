-- Charges counters: each check by itself charges all of its uses or none, one check after the other. The main part of
-- a script that `scripts.ts` composes.
--
-- KEYS     one for each use: first those of the first check
-- ARGV     1 the time, see values.lua; 2 a name that no other call has; 3 for each check which of the texts that
--          follow has its uses, a JSON list, from 1; 4 the name of each use or false, a JSON list, or empty where none
--          has one; from 5 on those texts, see uses.lua
-- Answers  packed numbers, see values.lua. For each use looked at: what is in use, see there; when it resets (ms since
--          the epoch), and minus that where its name was found, so that nothing was charged. Where the charge does not fit,
--          three numbers instead: minus one and minus what is in use, the reset, and how long until it fits (ms; -1 never)
--
-- A check looks at its uses in order, up to and with the first that does not fit, is no shadow and has no name. Where
-- any but a shadow does not fit, nothing of it is charged. A shadow that does not fit is not charged. One check must not
-- name a key twice.
local answers, size, place = {}, 0, 0
local waits, used, resets, a, b, c = {}, {}, {}, {}, {}, {}

fetch()
if ARGV[4] ~= '' then
  names = cjson.decode(ARGV[4])
end
local kinds = {}
for kind = 5, #ARGV do
  kinds[kind - 4] = uses_of(ARGV[kind])
end
for _, kind in ipairs(cjson.decode(ARGV[3])) do
  local uses = kinds[kind]
  local looked_at, violated = #uses, false
  for i = 1, #uses do
    local use, at = uses[i], place + i
    waits[i], used[i], resets[i], a[i], b[i], c[i] = use.read(KEYS[at], use, at)
    if waits[i] ~= 0 and not use.shadow then
      violated = true
      if not names[at] then
        looked_at = i
        break
      end
    end
  end
  for i = 1, looked_at do
    local wait, in_use, reset_at, is_found = waits[i], used[i], resets[i], false
    if wait == 0 then
      if not violated then
        in_use, reset_at, is_found = uses[i].charged(KEYS[place + i], uses[i], a[i], b[i], c[i], place + i)
      end
      local reset_ms = ceil(reset_at / 1000)
      answers[size + 1], answers[size + 2] = in_use, is_found and -reset_ms or reset_ms
      size = size + 2
    else
      answers[size + 1], answers[size + 2] = -1 - in_use, ceil(reset_at / 1000)
      answers[size + 3] = wait > 0 and ceil(wait / 1000) or wait
      size = size + 3
    end
  end
  place = place + #uses
end
return pack(answers, size)

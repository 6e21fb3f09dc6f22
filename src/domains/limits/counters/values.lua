-- What the other parts share: the time, and what keys hold. A part of the scripts that `scripts.ts` composes, before all others.
--
-- ARGV                     1 the time in microseconds where a test holds it; empty for Redis's own
-- now                      that time
-- fetch()                  reads every key of KEYS at once: one call is cheaper than many, and checks share keys. A key
--                          that holds no string counts as absent
-- values[key]              what a key holds, or false
-- pack(numbers, size)      so many numbers as one string of little-endian doubles: clients read that faster than
--                          many integers
-- is_beyond(at, span)      whether a time is so far ahead that a clock was wrong when it was kept, or that it was never one:
--                          what was kept with it counts as absent. A clock may go back by the span and some seconds
-- horizon(span)            the last time that is not
-- names[place]             the name of the use at this place among all uses, or false; charge.lua sets it
-- AT_ONCE                  more than so many values in one call would overflow Lua's stack
local call, floor, ceil, max, min, format =
  redis.call, math.floor, math.ceil, math.max, math.min, string.format

local now = tonumber(ARGV[1])
if not now then
  local time = call('TIME')
  now = time[1] * 1000000 + time[2]
end

local AT_ONCE = 1000
local values, names = {}, {}

local function fetch()
  for first = 1, #KEYS, AT_ONCE do
    local last = min(#KEYS, first + AT_ONCE - 1)
    local found = call('MGET', unpack(KEYS, first, last))
    for i = first, last do
      values[KEYS[i]] = found[i - first + 1]
    end
  end
end

local CLOCK_STEP = 10000000

local function horizon(span)
  return now + span + CLOCK_STEP
end

local function is_beyond(at, span)
  -- No number is neither below it nor above.
  return not (at <= horizon(span))
end

local function pack(numbers, size)
  local parts = {}
  for first = 1, size, AT_ONCE do
    local last = min(size, first + AT_ONCE - 1)
    parts[#parts + 1] = struct.pack('<' .. string.rep('d', last - first + 1), unpack(numbers, first, last))
  end
  return table.concat(parts)
end

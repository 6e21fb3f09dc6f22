-- What the algorithms share: the time, and what the counters' keys hold. A part of the scripts that `scripts.ts`
-- composes, before the algorithms.
--
-- ARGV                     1 the time in microseconds where a test holds it; empty for Redis's own
-- now                      that time
-- fetch()                  reads every key of KEYS at once: one call is cheaper than many, and checks share keys. A key
--                          that holds no string counts as absent
-- values[key]              what a key holds, or false; a write to a key is made here as well
-- put(key, value, ...)     does both, with what `SET` takes besides
-- twice(units)             what is in use, as an integer: the sum of its floor and its ceiling
-- pack(numbers, size)      so many numbers as one string of little-endian doubles: clients read that faster than
--                          many integers
-- is_beyond(at, span)      whether a time is so far ahead that a clock was wrong when it was kept, or that it was never one:
--                          what was kept with it counts as absent. A clock may go back by the span and some seconds
-- horizon(span)            the last time that is not
-- names[place]             the name of the use whose key is at this place in KEYS, or false; charge.lua sets it
-- held(key)                what a key holds now, or false; one that holds no string is removed
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

local function held(key)
  local value = redis.pcall('GET', key)
  if type(value) == 'table' then
    call('DEL', key)
    return false
  end
  return value
end

local CLOCK_STEP = 10000000

local function horizon(span)
  return now + span + CLOCK_STEP
end

local function is_beyond(at, span)
  return at > horizon(span)
end

local function put(key, value, ...)
  call('SET', key, value, ...)
  values[key] = value
end

local function twice(units)
  return floor(units) + ceil(units)
end

local function pack(numbers, size)
  local parts = {}
  for first = 1, size, AT_ONCE do
    local last = min(size, first + AT_ONCE - 1)
    parts[#parts + 1] = struct.pack('<' .. string.rep('d', last - first + 1), unpack(numbers, first, last))
  end
  return table.concat(parts)
end

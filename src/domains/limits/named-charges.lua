-- Charges names in sliding windows, where each name counts once: each check by itself charges all of its windows or
-- none, one check after the other.
--
-- KEYS     one for each window of each check: first those of the first check; of one slot on a Cluster
-- ARGV     1 the time in microseconds where a test holds it; empty for Redis's own
--          2 the different windows, a JSON list of two numbers each: how many names, and microseconds
--          3 which of them each key is, from 1, a JSON list
--          4 how many keys each check has, a JSON list
--          5 and on: each check's name
-- Answers  three integers for each check that is refused: its place, from 0; the place among its windows, from 0, of
--          the one that stays full for the longest; and for how long it does (ms, above 0)
--
-- Key      sorted set of names, scored by when they were charged; lives for the window and a second after each charge
--
-- A name that is in a window fits it, and is not charged again. What is a full window old is out. One check must not
-- name a key twice. Times are in microseconds.
local FIRST_NAME = 5
local call, ceil, format = redis.call, math.ceil, string.format

local now = tonumber(ARGV[1])
if not now then
  local time = call('TIME')
  now = time[1] * 1000000 + time[2]
end

local windows = {}
local numbers = cjson.decode(ARGV[2])
for i = 1, #numbers, 2 do
  local length = numbers[i + 1]
  windows[#windows + 1] = {
    most = numbers[i],
    length = length,
    out = now - length,
    since = format('(%.0f', now - length),
    life = format('%.0f', ceil(length / 1000) + 1000),
  }
end
local window_of = cjson.decode(ARGV[3])

local function has(key, window, name)
  local at = redis.pcall('ZSCORE', key, name)
  if type(at) == 'table' and at.err then
    -- A key of another type counts as absent.
    call('DEL', key)
    return false
  end
  return at and tonumber(at) > window.out
end

-- How long until one name more fits.
local function wait(key, window)
  local count = call('ZCOUNT', key, window.since, '+inf')
  if count < window.most then
    return 0
  end
  local leaves = call('ZRANGEBYSCORE', key, window.since, '+inf', 'WITHSCORES', 'LIMIT', count - window.most, 1)
  return tonumber(leaves[2]) + window.length - now
end

local function charge(key, window, name)
  call('ZREMRANGEBYSCORE', key, '-inf', window.out)
  call('ZADD', key, now, name)
  call('PEXPIRE', key, window.life)
end

local refused, place = {}, 0
for check, size in ipairs(cjson.decode(ARGV[4])) do
  local name, missing, longest, fullest = ARGV[FIRST_NAME - 1 + check], {}, 0, nil
  for i = 1, size do
    local key, window = KEYS[place + i], windows[window_of[place + i]]
    if not has(key, window, name) then
      missing[#missing + 1] = place + i
      local waits = wait(key, window)
      if waits > longest then
        longest, fullest = waits, i
      end
    end
  end
  if fullest then
    local size_so_far = #refused
    refused[size_so_far + 1] = check - 1
    refused[size_so_far + 2] = fullest - 1
    refused[size_so_far + 3] = ceil(longest / 1000)
  else
    for _, at in ipairs(missing) do
      charge(KEYS[at], windows[window_of[at]], name)
    end
  end
  place = place + size
end
return refused

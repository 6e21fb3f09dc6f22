-- Removes what BullMQ cannot have written at the fixed keys of a queue.
-- It is one step, so that no job is enqueued between a look and a removal.
-- KEYS[1] the queue's `meta` key: all keys of a queue lie in one slot; KEYS[2] a key that never exists (queue-repair-pass.ts says why)
-- ARGV[1] what all keys of the queue begin with, the colon included; ARGV[2] the first job id where the counter is lost
-- ARGV[3] the note that a repair is due, another for each call; ARGV[4] '1' where it is due whatever is found here, else '0'
-- Answers '1' where jobs' keys should be looked at too, else '0'; then what was removed: a key's name within the queue and
-- what stood there, again and again.
local prefix, removed = ARGV[1], {}

-- Before anything is removed. A full Redis refuses a script its first write where that needs memory, and none that follow one
-- that needs none: without the DEL, what was noticed then would be noted nowhere.
local is_noted = false
local function note()
  if is_noted then return end
  is_noted = true
  redis.call('DEL', prefix .. 'repair-due')
  redis.call('SET', prefix .. 'repair-due', ARGV[3])
end

local function report(name, found)
  note()
  table.insert(removed, name)
  table.insert(removed, found)
end
local function discard(name, found)
  report(name, found)
  -- In its place stands the note of this.
  if name ~= 'repair-due' then redis.call('UNLINK', prefix .. name) end
end

local TYPES = {
  wait = 'list', active = 'list', paused = 'list',
  delayed = 'zset', prioritized = 'zset', completed = 'zset', failed = 'zset', marker = 'zset',
  ['repeat'] = 'zset', ['waiting-children'] = 'zset',
  events = 'stream', meta = 'hash', stalled = 'set',
  id = 'string', pc = 'string', limiter = 'string', ['stalled-check'] = 'string',
  ['repair-due'] = 'string', ['repair-lease'] = 'string', ['repair-looked'] = 'string',
}
for name, expected in pairs(TYPES) do
  local found = redis.call('TYPE', prefix .. name).ok
  if found ~= expected and found ~= 'none' then discard(name, 'a ' .. found) end
end
if ARGV[4] == '1' then note() end

local function is_number(value) return #value < 16 and string.find(value, '^%d+$') ~= nil end
for _, name in ipairs({ 'id', 'pc' }) do
  local value = redis.call('GET', prefix .. name)
  if value and not is_number(value) then discard(name, 'no number') end
end
-- Not from 1 on: jobs of those ids may be there.
if redis.call('EXISTS', prefix .. 'id') == 0 then
  local jobs = { 'wait', 'prioritized', 'active', 'delayed', 'completed', 'failed' }
  for index, name in ipairs(jobs) do jobs[index] = prefix .. name end
  if #removed > 0 or redis.call('EXISTS', unpack(jobs)) > 0 then
    redis.call('DEL', prefix .. 'id')
    redis.call('SET', prefix .. 'id', ARGV[2])
  end
end

for _, field in ipairs({ 'opts.maxLenEvents', 'concurrency', 'max', 'duration' }) do
  local value = redis.call('HGET', prefix .. 'meta', field)
  if value and not is_number(value) then
    report('meta', 'no number in ' .. field)
    redis.call('HDEL', prefix .. 'meta', field)
  end
end
local paused = redis.call('HGET', prefix .. 'meta', 'paused')
if paused and paused ~= '1' then
  report('meta', 'no number in paused')
  redis.call('HDEL', prefix .. 'meta', 'paused')
end

-- Without an expiry, no job of a killed worker would ever be found again.
for _, name in ipairs({ 'stalled-check', 'limiter', 'repair-lease', 'repair-looked' }) do
  if redis.call('PTTL', prefix .. name) == -1 then discard(name, 'no expiry') end
end

table.insert(removed, 1, redis.call('EXISTS', prefix .. 'repair-due') == 1 and '1' or '0')
return removed

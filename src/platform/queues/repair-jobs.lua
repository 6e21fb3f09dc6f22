-- Removes those of a queue's keys that belong to single jobs and that BullMQ cannot have written, and deduplication keys that
-- name no job that will run.
-- ARGV[4…] names of keys within the queue; deduplication keys, once jobs that are in no list were removed
-- Answers { what was removed: a key's name within the queue and what stood there, again and again;
-- jobs that are in no sorted set, each followed by its traces }.
local unlisted = {}

local FIXED = {
  wait = true, active = true, paused = true, delayed = true, prioritized = true, completed = true, failed = true,
  marker = true, ['repeat'] = true, ['waiting-children'] = true, events = true, meta = true, stalled = true, id = true,
  pc = true, limiter = true, ['stalled-check'] = true,
  ['repair-due'] = true, ['repair-lease'] = true, ['repair-looked'] = true,
}

local function is_json(text) return text and pcall(cjson.decode, text) end

local function repair_deduplication(name, found)
  if found ~= 'string' then return discard(name, 'a ' .. found) end
  local id = redis.call('GET', prefix .. name)
  if redis.call('TYPE', prefix .. id).ok ~= 'hash' then return discard(name, 'no job') end
  for _, finished in ipairs({ 'failed', 'completed' }) do
    if redis.call('ZSCORE', prefix .. finished, id) then return discard(name, 'a finished job') end
  end
end

local function repair_next_job(name, found)
  if found ~= 'hash' then return discard(name, 'a ' .. found) end
  local fields = redis.call('HMGET', prefix .. name, 'name', 'data', 'opts')
  if not (fields[1] and is_json(fields[2]) and is_json(fields[3])) then discard(name, 'no job') end
end

-- Of what has to go away by itself.
local function repair_passing(name, found, expected)
  if found ~= expected then discard(name, 'a ' .. found)
  elseif redis.call('PTTL', prefix .. name) == -1 then discard(name, 'no expiry') end
end

for index = 4, #ARGV do
  local name = ARGV[index]
  local found = redis.call('TYPE', prefix .. name).ok
  if found ~= 'none' and not FIXED[name] then
    if string.sub(name, 1, 3) == 'de:' then repair_deduplication(name, found)
    elseif string.sub(name, 1, 3) == 'dn:' then repair_next_job(name, found)
    elseif string.sub(name, 1, 12) == 'repair-copy:' then repair_passing(name, found, 'list')
    elseif string.sub(name, -5) == ':lock' then repair_passing(name, found, 'string')
    elseif not string.find(name, ':', 1, true) then
      if found ~= 'hash' then discard(name, 'a ' .. found)
      elseif not is_in_sorted_set(name) then
        table.insert(unlisted, name)
        table.insert(unlisted, traces(name))
      end
    end
  end
end
return { removed, unlisted }

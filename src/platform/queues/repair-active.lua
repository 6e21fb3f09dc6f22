-- Removes active jobs that nobody can read, and their locks that never expire, where they are still as they were when that
-- was found.
-- KEYS[1] the queue's `meta` key: all keys of a queue lie in one slot; KEYS[2] a key that never exists (queue-repair-pass.ts says why)
-- ARGV[1] what all keys of the queue begin with, the colon included; ARGV[2] a note that a repair is due
-- ARGV[3…] ids, each followed by what was found: `lock`, `type`, or the digest of its options and data
-- Answers what was removed: a key's name within the queue and what stood there, again and again.
local prefix, removed = ARGV[1], {}

-- Before anything is removed. A full Redis refuses a script its first write where that needs memory, and none that follow one
-- that needs none.
local is_noted = false
local function note()
  if is_noted then return end
  is_noted = true
  redis.call('DEL', prefix .. 'repair-due')
  redis.call('SET', prefix .. 'repair-due', ARGV[2])
end

local function report(name, found)
  table.insert(removed, name)
  table.insert(removed, found)
end

local function found_at(id)
  local found = redis.call('TYPE', prefix .. id).ok
  if found ~= 'hash' and found ~= 'none' then return 'type' end
  local fields = redis.call('HMGET', prefix .. id, 'opts', 'data')
  return redis.sha1hex((fields[1] or '') .. '\n' .. (fields[2] or ''))
end

for index = 3, #ARGV, 2 do
  local id, found = ARGV[index], ARGV[index + 1]
  local lock = id .. ':lock'
  if found == 'lock' then
    if redis.call('PTTL', prefix .. lock) == -1 then
      redis.call('UNLINK', prefix .. lock)
      report(lock, 'no expiry')
    end
  -- From the tail on, where the pages come from.
  elseif found_at(id) == found and redis.call('LREM', prefix .. 'active', -1, id) > 0 then
    redis.call('UNLINK', prefix .. id, prefix .. lock)
    report(id, 'no job')
  end
end
if #removed > 0 then redis.call('SET', prefix .. 'repair-due', ARGV[2]) end
return removed

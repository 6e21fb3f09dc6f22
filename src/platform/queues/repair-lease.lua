-- Begins each script of a repair: a repairer that is no longer the one does nothing.
-- KEYS[1] the queue's `meta` key: all keys of a queue lie in one slot; KEYS[2] a key that never exists (queue-repair-pass.ts says why)
-- ARGV[1] what all keys of the queue begin with, the colon included
-- ARGV[2] whose lease it is; ARGV[3] for how many milliseconds it is renewed
-- Fails with LEASELOST where the lease is another's, or nobody's.
local prefix, removed = ARGV[1], {}
local lease = prefix .. 'repair-lease'
if redis.call('GET', lease) ~= ARGV[2] then return redis.error_reply('LEASELOST the queue is not repaired by this one') end
redis.call('PEXPIRE', lease, ARGV[3])

local function discard(name, found)
  redis.call('UNLINK', prefix .. name)
  table.insert(removed, name)
  table.insert(removed, found)
end

local sorted_sets = {}
for _, name in ipairs({ 'failed', 'completed', 'delayed', 'prioritized', 'waiting-children' }) do
  if redis.call('ZCARD', prefix .. name) > 0 then table.insert(sorted_sets, prefix .. name) end
end
local function is_in_sorted_set(id)
  for _, key in ipairs(sorted_sets) do
    if redis.call('ZSCORE', key, id) then return true end
  end
  return false
end

-- Another whenever the job came from one of the queue's sorted sets, or went there and came back: only between lists, a job
-- moves without a trace.
local function traces(id)
  local fields = redis.call('HMGET', prefix .. id,
    'timestamp', 'delay', 'priority', 'processedOn', 'ats', 'atm', 'stc', 'finishedOn')
  for index, value in ipairs(fields) do fields[index] = value or '' end
  return table.concat(fields, ' ')
end

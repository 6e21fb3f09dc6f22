-- Appends wake-ups to a reader's stream, numbered without gaps. Where the reader is gone it writes nothing.
-- KEYS[1] the stream, KEYS[2] the counter: `epoch/number` of the newest entry, which the reader makes and renews
-- ARGV[1] how many entries the stream keeps, about; ARGV[2] milliseconds that stream and counter outlive their reader;
-- ARGV[3] the epoch that begins where the counter is one that readers would not take for one, or the stream takes no more
-- entries; ARGV[4…] entries
-- Answers the counter; nil where there is none: the reader is gone, or begins anew once it notices
local LONGEST_EPOCH = 64
local MOST_DIGITS = 15 -- a double counts further only with gaps
local LAST_ID = '18446744073709551615-18446744073709551615'
local FIRST = 4

local function drop_unless(key, kind)
  local found = redis.call('TYPE', key).ok
  if found ~= kind and found ~= 'none' then redis.call('DEL', key) end
end
drop_unless(KEYS[1], 'stream')
drop_unless(KEYS[2], 'string')

local before = redis.call('GET', KEYS[2])
if not before then return nil end

local epoch, digits = string.match(before, '^([^/]+)/(%d+)$')
local number = tonumber(digits)
if not epoch or #epoch > LONGEST_EPOCH or #digits > MOST_DIGITS or number + #ARGV >= 10 ^ MOST_DIGITS then
  epoch, number = ARGV[3], 0
end

-- The command's answer; a table with `err` where it failed.
local function append(text)
  number = number + 1
  local place = epoch .. '/' .. string.format('%d', number)
  -- Processes of versions before read the first field and no other.
  return redis.pcall('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*', 'w', text, 'n', place)
end

local function takes_no_more()
  if redis.call('EXISTS', KEYS[1]) == 0 then return false end
  local info = redis.call('XINFO', 'STREAM', KEYS[1])
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then return info[i + 1] == LAST_ID end
  end
end

local i = FIRST
while i <= #ARGV do
  local answer = append(ARGV[i])
  i = i + 1
  if type(answer) == 'table' and answer.err then
    if not takes_no_more() then return answer end
    -- All of these, in a stream and an epoch of their own.
    redis.call('DEL', KEYS[1])
    epoch, number, i = ARGV[3], 0, FIRST
  end
end
local counter = epoch .. '/' .. string.format('%d', number)
-- The reader alone says that it lives: what is appended does not.
redis.call('SET', KEYS[2], counter, 'KEEPTTL')
for key = 1, 2 do
  if redis.call('PTTL', KEYS[key]) == -1 then redis.call('PEXPIRE', KEYS[key], ARGV[2]) end
end
return counter

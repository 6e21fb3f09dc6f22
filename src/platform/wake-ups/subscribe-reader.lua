-- Changes which topics a reader of wake-ups subscribes to, in one shard of the registry.
-- KEYS[1] the shard, a hash: of each topic the ids of its readers, separated by commas, and of each reader its version by `#id`
-- ARGV[1] the reader's id; ARGV[2] the id that it had before, or ''; ARGV[3] its version from now on, or '' where it is gone;
-- ARGV[4] how many topics are added; ARGV[5…] these, then those that are removed
local reader, former, version, added = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

local kind = redis.call('TYPE', KEYS[1]).ok
if kind ~= 'hash' and kind ~= 'none' then redis.call('DEL', KEYS[1]) end

local function readers_of(topic, joins)
  local ids = {}
  for id in string.gmatch(redis.call('HGET', KEYS[1], topic) or '', '[^,]+') do
    if id ~= reader and id ~= former then ids[#ids + 1] = id end
  end
  if joins then ids[#ids + 1] = reader end
  return table.concat(ids, ',')
end

for i = 5, #ARGV do
  local ids = readers_of(ARGV[i], i < 5 + added)
  if ids == '' then redis.call('HDEL', KEYS[1], ARGV[i])
  else redis.call('HSET', KEYS[1], ARGV[i], ids) end
end
if former ~= '' then redis.call('HDEL', KEYS[1], '#' .. former) end
if version == '' then redis.call('HDEL', KEYS[1], '#' .. reader)
else redis.call('HSET', KEYS[1], '#' .. reader, version) end
return true

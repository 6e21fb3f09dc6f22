-- Adds what one process saw of the callers nearest to their limits to what all processes saw.
--
-- KEYS  1 utilisation by owner (sorted set); 2 entry by owner, as JSON (hash)
-- ARGV  1 now in ms; 2 entries kept; then of each owner, utilisation and entry: {rule, utilisation, seenAt, expiresAt}, times in ms
-- Returns how many entries there are now.
--
-- Entries leave when they expire, the lowest first when there are too many, all when the last of them expires.
local now, most = tonumber(ARGV[1]), tonumber(ARGV[2])

for i, expected in ipairs({ 'zset', 'hash' }) do
  local found = redis.call('TYPE', KEYS[i]).ok
  if found ~= expected and found ~= 'none' then redis.call('DEL', KEYS[i]) end
end

-- The entry that a text encodes; nil where it is none.
local function read(text)
  local isJson, entry = pcall(cjson.decode, text)
  if not isJson or type(entry) ~= 'table' then return nil end
  for _, field in ipairs({ 'utilisation', 'seenAt', 'expiresAt' }) do
    if type(entry[field]) ~= 'number' then return nil end
  end
  return entry
end

local kept = redis.call('HGETALL', KEYS[2])
local known, last = {}, now
for i = 1, #kept, 2 do
  local entry = read(kept[i + 1])
  if entry and entry.expiresAt > now then
    known[kept[i]] = entry
    last = math.max(last, entry.expiresAt)
  else
    redis.call('HDEL', KEYS[2], kept[i])
    redis.call('ZREM', KEYS[1], kept[i])
  end
end

for i = 3, #ARGV, 3 do
  local owner, utilisation, entry = ARGV[i], ARGV[i + 1], cjson.decode(ARGV[i + 2])
  local old = known[owner]
  local replaces = not old
  -- Of one limit the newest reading is the truest, of two the fuller one matters.
  if old and old.rule == entry.rule then
    replaces = entry.seenAt >= old.seenAt
  elseif old then
    replaces = entry.utilisation >= old.utilisation
  end
  if replaces and entry.expiresAt > now then
    redis.call('ZADD', KEYS[1], utilisation, owner)
    redis.call('HSET', KEYS[2], owner, ARGV[i + 2])
    last = math.max(last, entry.expiresAt)
  end
end

while redis.call('ZCARD', KEYS[1]) > most do
  redis.call('HDEL', KEYS[2], redis.call('ZPOPMIN', KEYS[1])[1])
end
if last > now then
  redis.call('PEXPIRE', KEYS[1], last - now)
  redis.call('PEXPIRE', KEYS[2], last - now)
end
return redis.call('ZCARD', KEYS[1])

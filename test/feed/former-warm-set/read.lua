-- Reads a warm set at or below a time, newest first, and renews its life where its owner reads.
--
-- KEYS  1 settled (sorted set)
-- ARGV  1 time in ms; 2 at most, of each of them; 3 ms to live from now on, 0 for as long as it has
-- Returns nil for a cold set, else {header, its score, [id, time, …] of recent, [id, time, …] of settled}: at and above
-- its floor the set is complete. Entries of the time's own millisecond are all there, whatever their id: the caller discards
-- those that it has already.
local recent = recentOf(KEYS[1])
local header, score = headerOf(recent)
if not header or firstOf(KEYS[1])[1] ~= header then return nil end
if ARGV[3] ~= '0' then
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  redis.call('PEXPIRE', recent, ARGV[3])
end
local function below(key)
  return redis.call('ZRANGE', key, ARGV[1], 0, 'BYSCORE', 'REV', 'LIMIT', 0, ARGV[2], 'WITHSCORES')
end
return { header, score, below(recent), below(KEYS[1]) }

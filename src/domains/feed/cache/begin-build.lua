-- Makes the caller the one builder of a cold set. Only afterwards may he read Postgres.
--
-- KEYS  1 settled, 2 recent, 3 building (sorted sets)
-- ARGV  1 token; 2 how long he may take, in ms
-- Returns 1, or 0 where the set is warm or somebody else builds it.
local header = headerOf(KEYS[2])
if header and redis.call('ZRANGE', KEYS[1], 0, 0)[1] == header then return 0 end
if isOfNow(redis.call('ZRANGE', KEYS[3], 0, 0)[1]) then return 0 end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('ZADD', KEYS[3], -1, epoch .. ARGV[1])
redis.call('PEXPIRE', KEYS[3], ARGV[2])
return 1

-- Makes the caller the one builder of a cold set. It may read Postgres only after that.
--
-- KEYS  1 settled (sorted set)
-- ARGV  1 token; 2 how long it may take, in ms
-- Returns 1, or 0 where the set is warm or another process builds it.
local recent, building = recentOf(KEYS[1]), buildingOf(KEYS[1])
local header = headerOf(recent)
if header and firstOf(KEYS[1])[1] == header then return 0 end
if isOfNow(firstOf(building)[1]) then return 0 end
redis.call('DEL', KEYS[1], recent, building)
redis.call('ZADD', building, -1, epoch .. ARGV[1])
redis.call('PEXPIRE', building, ARGV[2])
return 1

-- Makes the caller the one builder of a cold set. It may read Postgres only after that.
--
-- KEYS  1 the set
-- ARGV  1 token; 2 how long it may take, in ms
-- Returns 1, or 0 where the set is warm or another process builds it.
local building = buildingOf(KEYS[1])
if headerOf(KEYS[1]) or builderOf(building) then return 0 end
redis.call('DEL', KEYS[1], building, formerOf(KEYS[1]))
redis.call('ZADD', building, -1, epoch .. ARGV[1])
redis.call('PEXPIRE', building, ARGV[2])
return 1

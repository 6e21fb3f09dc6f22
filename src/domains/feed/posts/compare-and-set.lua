-- Writes a cache entry, if it has not changed since the caller read or claimed it.
--
-- KEYS  1 entry (string)
-- ARGV  1 its value then; 2 its new value; 3 for how long, in ms
-- Returns 1, or 0 where it has another value by now, or was lost with all of Redis: then nothing is written.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1

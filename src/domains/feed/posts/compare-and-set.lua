-- Writes a cache entry that nobody touched since the caller looked or laid claim to it.
--
-- KEYS  1 entry (string)
-- ARGV  1 what it held then; 2 what it shall hold; 3 for how long, in ms
-- Returns 1, or 0 where it holds something else by now, or was lost with all of Redis: then nothing is written.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1

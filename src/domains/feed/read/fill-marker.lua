-- Keeps what Postgres said of a marker, unless the marker moved meanwhile or Redis forgot who asked.
--
-- KEYS  1 token (string); 2 marker (string)
-- ARGV  1 the token of who asked; 2 the marker; 3 seconds to live
-- Returns 1 where it is kept, else 0.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[2], 'EX', ARGV[3])
redis.call('DEL', KEYS[1])
return 1

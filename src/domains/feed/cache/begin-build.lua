-- Makes the caller the one builder of a cold feed. Only afterwards may he read Postgres.
--
-- KEYS  1 meta (hash); 2 token (string); 3 building (sorted set)
-- ARGV  1 token; 2 how long he may take, in ms
-- Returns 1, or 0 where the feed is warm or somebody else builds it.
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
if not redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2], 'NX') then return 0 end
redis.call('DEL', KEYS[3])
return 1

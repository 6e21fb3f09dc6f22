-- Turns what the builder read, and what was pushed meanwhile, into a warm feed.
--
-- KEYS  1 feed (sorted set); 2 meta (hash); 3 token (string); 4 building (sorted set)
-- ARGV  1 token; 2 floor's time in ms; 3 floor's post id; 4 seconds to live; then time, post id, time, post id, …
-- Returns 1, or 0 where the token is not his any more: the follows changed or his time ran out. Then nothing is built.
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
for i = 5, #ARGV, 2 do redis.call('ZADD', KEYS[1], ARGV[i], ARGV[i + 1]) end
local at, id = tonumber(ARGV[2]), ARGV[3]
local meanwhile = redis.call('ZRANGE', KEYS[4], 0, -1, 'WITHSCORES')
for i = 1, #meanwhile, 2 do
  local score = tonumber(meanwhile[i + 1])
  if score > at or (score == at and meanwhile[i] >= id) then redis.call('ZADD', KEYS[1], score, meanwhile[i]) end
end
redis.call('HSET', KEYS[2], 'fromAt', ARGV[2], 'fromId', id)
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[4])
redis.call('DEL', KEYS[3], KEYS[4])
return 1

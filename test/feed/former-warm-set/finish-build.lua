-- Makes a warm set of what the builder read and what was pushed meanwhile.
--
-- KEYS  1 settled (sorted set)
-- ARGV  1 token; 2 floor's time in ms; 3 floor's packed id; 4 ms to live; then time, packed id, time, packed id, …
-- Returns 1, or 0 where the token is not valid any more: the relations changed, its time is over, or Redis has lost what was
-- pushed meanwhile. Then nothing is built.
local recent, building = recentOf(KEYS[1]), buildingOf(KEYS[1])
if firstOf(building)[1] ~= epoch .. ARGV[1] then return 0 end
local header, score = epoch .. ARGV[3], -1 - tonumber(ARGV[2])
redis.call('DEL', KEYS[1], recent)
redis.call('ZADD', KEYS[1], score, header)
redis.call('ZADD', recent, score, header)
for i = 5, #ARGV, 2 do redis.call('ZADD', KEYS[1], ARGV[i], ARGV[i + 1]) end
local meanwhile = redis.call('ZRANGE', building, 1, -1, 'WITHSCORES')
for i = 1, #meanwhile, 2 do
  local at = tonumber(meanwhile[i + 1])
  if isAtOrAbove(at, meanwhile[i], header, score) then redis.call('ZADD', recent, at, meanwhile[i]) end
end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', recent, ARGV[4])
redis.call('DEL', building)
return 1

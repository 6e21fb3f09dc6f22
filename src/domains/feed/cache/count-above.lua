-- Counts what a warm set holds above a place.
--
-- KEYS  1 settled (sorted set)
-- ARGV  1 place's time in ms; 2 its packed id; 3 count no further
-- Returns the count, or -1 for a cold set.
local recent = recentOf(KEYS[1])
local header, score = headerOf(recent)
if not header or redis.call('ZRANGE', KEYS[1], 0, 0)[1] ~= header then return -1 end
local place = epoch .. ARGV[2]
local count = 0
for _, key in ipairs({ KEYS[1], recent }) do
  count = count + redis.call('ZCOUNT', key, '(' .. ARGV[1], '+inf')
  for _, id in ipairs(redis.call('ZRANGE', key, ARGV[1], ARGV[1], 'BYSCORE')) do
    if id ~= ARGV[2] and isAtOrAbove(0, id, place, -1) then count = count + 1 end
  end
end
return math.min(count, tonumber(ARGV[3]))

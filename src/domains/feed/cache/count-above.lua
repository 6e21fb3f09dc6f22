-- Counts the entries of a warm set above a place.
--
-- KEYS  1 settled (sorted set)
-- ARGV  1 place's time in ms; 2 its packed id; 3 count no further
-- Returns the count, or -1 for a cold set.
local settled, recent = KEYS[1], recentOf(KEYS[1])
local at, place = tonumber(ARGV[1]), epoch .. ARGV[2]
local header = headerOf(recent)
if not header or firstOf(settled)[1] ~= header then return -1 end

local function isSiblingAbove(id)
  return id ~= ARGV[2] and isAtOrAbove(0, id, place, -1)
end

local count = redis.call('ZCOUNT', settled, '(' .. ARGV[1], '+inf')
for _, id in ipairs(redis.call('ZRANGE', settled, ARGV[1], ARGV[1], 'BYSCORE')) do
  if isSiblingAbove(id) then count = count + 1 end
end
-- What was pushed twice, or while its builder read it from Postgres, is in both.
local pushed = redis.call('ZRANGE', recent, ARGV[1], '+inf', 'BYSCORE', 'WITHSCORES')
for i = 1, #pushed, 2 do
  local isAbove = tonumber(pushed[i + 1]) > at or isSiblingAbove(pushed[i])
  if isAbove and not redis.call('ZSCORE', settled, pushed[i]) then count = count + 1 end
end
return math.min(count, tonumber(ARGV[3]))

-- Notes up to where the log was written at a user's last change. A mark never goes back: two processes may note at once.
-- KEYS[1]: the user's mark. ARGV[1]: the position; ARGV[2]: milliseconds that it is kept.
local known = tonumber(redis.call('GET', KEYS[1]) or '0')
if known and known >= tonumber(ARGV[1]) then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
else
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return 1

-- Takes a cache entry away from readers and from whoever fills it, since what it stands for has changed.
--
-- KEYS  1 entry (string): 'version:body', or '~version:token' while it is being filled
-- ARGV  1 the caller's token; 2 how long he may take to fill it, in ms
-- Returns the version below which nothing may be written there any more: that of what stood there.
local version = string.match(redis.call('GET', KEYS[1]) or '', '^~?(%d+):') or '0'
redis.call('SET', KEYS[1], '~' .. version .. ':' .. ARGV[1], 'PX', ARGV[2])
return version

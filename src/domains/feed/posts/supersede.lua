-- Removes a cache entry, and the claim of a reader that fills it, since its source has changed. The caller claims it.
--
-- KEYS  1 entry (string): 'version:body', or '~version:token' while it is being filled
-- ARGV  1 the caller's token; 2 how long it may take to fill it, in ms
-- Returns the version of the former entry: nothing older may be written any more.
local version = string.match(redis.call('GET', KEYS[1]) or '', '^~?(%d+):') or '0'
redis.call('SET', KEYS[1], '~' .. version .. ':' .. ARGV[1], 'PX', ARGV[2])
return version

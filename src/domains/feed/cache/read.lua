-- Reads a warm set at or below a time, and renews its life where its owner reads.
--
-- KEYS  1 the set
-- ARGV  1 time in ms; 2 entries at most; 3 ms to live from now on, 0 for as long as it has
-- Returns nil for a cold set, else one string: bytes an entry (1), the floor, entries, oldest first. At and above its floor the set
-- is complete. Entries of the time's own millisecond are there whatever their id: the caller discards those that it has already.
local key, at = KEYS[1], tonumber(ARGV[1])
local header = headerOf(key)
if not header then return nil end
if ARGV[3] ~= '0' then redis.call('PEXPIRE', key, ARGV[3]) end
local _, width, kept, oldest, count, newest = struct.unpack(UNPACKED, header)

local function isAfter(i)
  return placeOf(entriesOf(key, width, kept, oldest, i, i + 1)) > at
end
local to = count
if placeOf(string.sub(newest, 1, width)) > at then to = countBefore(count, isAfter) end
local from = math.max(0, to - tonumber(ARGV[2]))
return string.char(width) .. floorOf(key, header) .. entriesOf(key, width, kept, oldest, from, to)

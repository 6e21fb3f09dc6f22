-- Counts the entries of a warm set above a place.
--
-- KEYS  1 the set
-- ARGV  1 place's time in ms; 2 its packed id; 3 count no further
-- Returns the count, or -1 for a cold set.
local key, place = KEYS[1], wideOf(tonumber(ARGV[1]), ARGV[2])
local header = headerOf(key)
if not header then return -1 end
local _, width, kept, oldest, count = struct.unpack(UNPACKED, header)

local function isAbove(i)
  return compared(wideOf(placeOf(entriesOf(key, width, kept, oldest, i, i + 1))), place) > 0
end
return math.min(count - countBefore(count, isAbove), tonumber(ARGV[3]))

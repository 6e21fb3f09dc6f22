-- Makes a warm set of what the builder read and what was pushed meanwhile.
--
-- KEYS  1 the set
-- ARGV  1 token; 2 the floor, in as many bytes as an entry has; 3 entries, in the order of places; 4 entries kept; 5 ms to live
-- Returns 1, or 0 where the token is not valid any more: the relations changed, its time is over, or Redis has lost what was
-- pushed meanwhile. Then nothing is built.
local building = buildingOf(KEYS[1])
if builderOf(building) ~= ARGV[1] then return 0 end
local floor, entries = ARGV[2], ARGV[3]
local meanwhile = redis.call('ZRANGE', building, 1, -1, 'WITHSCORES')
for i = 1, #meanwhile, 2 do
  local at, id = tonumber(meanwhile[i + 1]), meanwhile[i]
  local entry = #floor == 16 and narrowOf(at, id) or wideOf(at, id)
  if #entry > #floor then floor, entries = wideOf(placeOf(floor)), widened(entries) end
  if compared(entry, floor) >= 0 then entries = withEntry(entries, entry) end
end
write(KEYS[1], floor, tonumber(ARGV[4]), entries, 'PX', ARGV[5])
redis.call('DEL', building, formerOf(KEYS[1]))
return 1

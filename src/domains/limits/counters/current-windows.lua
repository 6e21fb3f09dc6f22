-- Fixed windows, all of a check at once: where the check has only such counters, each is in its current window, and all charges
-- fit, they are charged by two short loops instead of a call for each use. That is nearly every check of the usual rules. Anything else is left to the algorithms. A part of the scripts that `scripts.ts` composes, after records.lua.
--
-- watch_windows(group)                  notes of a group what the loops compare: `begins`, `most` and `charges`, for each use
-- fit_current(group, record, places)    whether all are in their current windows, and fit; changes nothing
-- charge_current(group, record, places) charges them
local function watch_windows(group)
  group.begins, group.most, group.charges = {}, {}, {}
  for nth, use in ipairs(group) do
    group.begins[nth], group.most[nth], group.charges[nth] = use.begins, use.limit - use.charge, use.charge
  end
end

local function fit_current(group, record, places)
  local begins, most = group.begins, group.most
  for nth = 1, #places do
    local place = places[nth]
    local count = record[place + 1]
    -- What is no count is left to the algorithms, too.
    if record[place] ~= begins[nth] or not (count >= 0 and count <= most[nth]) then
      return false
    end
  end
  return true
end

local function charge_current(group, record, places)
  local charges = group.charges
  for nth = 1, #places do
    local count = places[nth] + 1
    record[count] = record[count] + charges[nth]
  end
end

-- What a text says of uses. A part of the scripts that `scripts.ts` composes.
--
-- uses_of(text, charges) -> the uses that a JSON list describes, nine values each: the counter's id (16 hexadecimal digits), algorithm,
--       limit, rate, window, life in seconds, shadow (1 or 0), charge, and which of the check's keys holds it, from 1. Windows
--       are in microseconds. Of a token bucket rate and window are what a refill adds and its interval; elsewhere the rate
--       is what a window admits, or drains. A use that is kept in a record has `entry`, see records.lua, `size`, how many numbers its state has, and `nth`: its place
--       among those of its key; `place` is that among all. `units` is what
--       is charged: 0 where nothing is to be. The list has `groups`, for each key the uses that its record holds, or false for a
--       log; `logs`, the place of the use of such a key, and `has_logs`;
--       `are_windows`, whether all are fixed windows to be charged; and `fits`, the head of the answer where all of them fit.
local VALUES_A_USE = 9

local function uses_of(text, charges)
  local given, uses, groups, logs = cjson.decode(text), {}, {}, {}
  local are_windows = charges
  for i = 1, #given, VALUES_A_USE do
    local algorithm = algorithms[given[i + 1]]
    local window, life, key = given[i + 4], given[i + 5], given[i + 8]
    local use = {
      take = algorithm.take,
      read = algorithm.read,
      charged = algorithm.charged,
      refunded = algorithm.refunded,
      limit = given[i + 2],
      rate = given[i + 3],
      window = window,
      begins = floor(now / window) * window,
      life = life * 1000,
      shadow = given[i + 6] == 1,
      charge = given[i + 7],
      units = charges and given[i + 7] or 0,
      key = key,
      place = #uses + 1,
    }
    groups[key] = groups[key] or false
    are_windows = are_windows and algorithm == algorithms[1]
    if algorithm.take then
      local high, low = tonumber(sub(given[i], 1, 8), 16), tonumber(sub(given[i], 9, 16), 16)
      use.id = struct.pack('>I4I4', high, low)
      use.size = algorithm.size
      use.entry = use.id .. struct.pack('<I4B', life, use.size)
      groups[key] = groups[key] or {}
      use.nth = #groups[key] + 1
      groups[key][use.nth] = use
    else
      logs[key] = #uses + 1
    end
    uses[#uses + 1] = use
  end
  if are_windows then
    for _, group in ipairs(groups) do
      watch_windows(group)
    end
  end
  uses.are_windows = are_windows
  uses.groups, uses.logs, uses.has_logs, uses.fits = groups, logs, next(logs) ~= nil, struct.pack('<dd', #uses, 0)
  return uses
end

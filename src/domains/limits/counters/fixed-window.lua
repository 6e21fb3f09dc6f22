-- Fixed window: a count for each window of the clock's own grid (document 3, Limits, Algorithms). A part of the
-- scripts that `scripts.ts` composes.
--
-- Key      integer, the window's number modulo 2^21 times 2^32, plus the count; lives for `life` ms from when the
--          window begins, so that no number ever meets one that it could be taken for
-- read     (key, use) -> wait, in use, reset at, number, count
-- charge   (key, use, number, count) -> in use, reset at
-- refund   (key, use, charge, mark): only while the window numbered `mark` is current
--
-- Times are in microseconds. `wait` is 0 where the charge fits, -1 where it never will.
local NUMBERS, COUNTS = 2 ^ 21, 2 ^ 32

local function unpacked(value)
  local packed = tonumber(value)
  return floor(packed / COUNTS), packed % COUNTS
end

algorithms[1] = {
  read = function(key, use)
    local limit, window, charge = use.limit, use.window, use.charge
    local number, count = floor(now / window), 0
    local value = values[key]
    if value then
      local kept, counted = unpacked(value)
      local ahead = (kept - number) % NUMBERS
      -- A clock that went back finds a later window: that one goes on.
      if ahead < NUMBERS / 2 then
        number, count = number + ahead, counted
      end
    end
    local ends = (number + 1) * window
    local wait = 0
    if charge > limit then
      wait = -1
    elseif count + charge > limit then
      wait = ends - now
    end
    return wait, 2 * count, ends, number, count
  end,

  charge = function(key, use, number, count)
    local used = count + use.charge
    local packed = number % NUMBERS * COUNTS + used
    if count == 0 then
      call('SET', key, format('%.0f', packed), 'PX', use.life)
    else
      call('INCRBY', key, use.charge)
    end
    values[key] = packed
    return 2 * used, (number + 1) * use.window
  end,

  refund = function(key, use, charge, mark)
    local value = call('GET', key)
    if not value then
      return
    end
    local number, count = unpacked(value)
    if number == mark % NUMBERS and floor(now / use.window) <= mark then
      call('DECRBY', key, min(count, charge))
    end
  end,
}

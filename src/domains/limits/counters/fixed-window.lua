-- Fixed window: a count for each window of the clock's own grid. A part of the
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

-- What is no such integer counts as absent. After a charge it is a number already.
local function parse(value)
  return value and (type(value) == 'number' or string.find(value, '^%d+$')) and tonumber(value)
end

local function unpacked(packed)
  return floor(packed / COUNTS), packed % COUNTS
end

-- What is the same for every key of a use: the current window, and what a key of it holds besides the count.
local function windowed(use)
  local number = floor(now / use.window)
  use.number, use.base, use.ends = number, number % NUMBERS * COUNTS, (number + 1) * use.window
end

algorithms[1] = {
  read = function(key, use)
    if not use.base then
      windowed(use)
    end
    local limit, charge, number, ends = use.limit, use.charge, use.number, use.ends
    local value, count = parse(values[key]), 0
    if value then
      count = value - use.base
      if count < 0 or count >= COUNTS then
        local kept, counted = unpacked(value)
        local ahead = (kept - number) % NUMBERS
        count = 0
        -- A clock that went back finds a later window: that one goes on.
        if not is_beyond((number + ahead) * use.window, use.window) then
          number, ends, count = number + ahead, ends + ahead * use.window, counted
        end
      end
    end
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
    if count == 0 then
      put(key, format('%.0f', number % NUMBERS * COUNTS + used), 'PX', use.life)
    else
      values[key] = call('INCRBY', key, use.charge_text)
    end
    return 2 * used, (number + 1) * use.window
  end,

  refund = function(key, use, charge, mark)
    local value = parse(held(key))
    if not value then
      return
    end
    local number, count = unpacked(value)
    mark = tonumber(mark)
    if number == mark % NUMBERS and floor(now / use.window) <= mark then
      call('DECRBY', key, min(count, charge))
    end
  end,
}

-- Sliding window counter: this window's count and what is left of the one before. A part of the scripts that `scripts.ts`
-- composes.
--
-- Key      string "<window number> <current count> <previous count>"; lives for `life` ms from when the window begins
-- read     (key, use) -> wait, in use, reset at, number, current, previous
-- charge   (key, use, number, current, previous) -> in use, reset at
-- refund   (key, use, charge, mark): only while the window numbered `mark` is current
--
-- Times are in microseconds. `wait` is 0 where the charge fits, -1 where it never will. The estimate is
-- previous * (1 - elapsed / window) + current. It is reckoned in units times the window's microseconds: in whole
-- numbers.
-- Nil where the value is no such text: it counts as absent.
local function parse(value)
  local number, current, previous = string.match(value, '^(%d+) (%d+) (%d+)$')
  return tonumber(number), tonumber(current), tonumber(previous)
end

-- Where the clock went back, the time is taken as the start of the window.
local function estimate(number, current, previous, now, window)
  return previous * (window - max(0, now - number * window)) + current * window
end

local function reading(estimated, number, use)
  return twice(estimated / use.window), (number + 1) * use.window
end

-- How far into a window the weight of `previous` falls below `allowed`, which is above 0.
local function elapsed_until(previous, allowed, window)
  if previous < allowed then
    return 0
  end
  return window - ceil(allowed * window / previous) + 1
end

algorithms[3] = {
  read = function(key, use)
    local limit, window, charge = use.limit, use.window, use.charge
    local number, current, previous = floor(now / window), 0, 0
    local value = values[key]
    if value then
      local kept, counted, before = parse(value)
      if kept and is_beyond(kept * window, window) then
        kept = nil
      end
      if kept and kept >= number then
        number, current, previous = kept, counted, before
      elseif kept and kept == number - 1 then
        previous = counted
      end
    end
    local estimated = estimate(number, current, previous, now, window)
    local allowed = limit - (charge - 1)
    local wait = 0
    if charge > limit then
      wait = -1
    elseif estimated >= allowed * window then
      if current < allowed then
        wait = number * window + elapsed_until(previous, allowed - current, window) - now
      else
        wait = (number + 1) * window + elapsed_until(current, allowed, window) - now
      end
    end
    local in_use, reset_at = reading(estimated, number, use)
    return wait, in_use, reset_at, number, current, previous
  end,

  charge = function(key, use, number, current, previous)
    local counted = current + use.charge
    local value = number .. ' ' .. counted .. ' ' .. previous
    if current == 0 then
      put(key, value, 'PX', use.life)
    else
      put(key, value, 'KEEPTTL')
    end
    return reading(estimate(number, counted, previous, now, use.window), number, use)
  end,

  refund = function(key, use, charge, mark)
    local value = held(key)
    if not value then
      return
    end
    local number, current, previous = parse(value)
    if not number then
      return
    end
    mark = tonumber(mark)
    if number == mark and floor(now / use.window) <= mark then
      call('SET', key, number .. ' ' .. max(0, current - charge) .. ' ' .. previous, 'KEEPTTL')
    end
  end,
}

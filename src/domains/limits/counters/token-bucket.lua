-- Token bucket: each elapsed refill interval adds `rate` tokens, up to `limit`. A part of the scripts that `scripts.ts` composes.
--
-- State    the last refill, the tokens
-- take     (use, record, at) -> wait: brings the state at this place up to now, and charges it if that fits
-- refunded (use, record, at, mark) -> true: up to full
--
-- Times are in microseconds; `window` is the refill interval. `wait` is 0 where the charge fits, -1 where it never
-- will. A full bucket's next interval begins with its next charge: so a bucket whose key has expired, and one that
-- was never used, are no different from a full one.
local function filled_after(missing, use)
  return ceil(missing / use.rate) * use.window
end

algorithms[4] = {
  size = 2,

  take = function(use, record, at)
    local limit, interval, charge = use.limit, use.window, use.charge
    local last, tokens, refilled = record[at], limit, now
    -- What is no number of tokens is none: the bucket is full.
    if last > 0 and record[at + 1] >= 0 and not is_beyond(last, filled_after(limit, use)) then
      local intervals = floor(max(0, now - last) / interval)
      tokens = min(limit, record[at + 1] + intervals * use.rate)
      refilled = tokens == limit and max(now, last) or last + intervals * interval
    end
    record[at], record[at + 1] = refilled, tokens
    if charge > limit then
      return -1
    elseif charge > tokens then
      return refilled + filled_after(charge - tokens, use) - now
    end
    record[at + 1] = tokens - use.units
    return 0
  end,

  refunded = function(use, record, at)
    record[at + 1] = min(use.limit, record[at + 1] + use.charge)
    return true
  end,
}

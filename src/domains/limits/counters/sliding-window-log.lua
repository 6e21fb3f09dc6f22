-- Sliding window log: a timestamp for each unit. A part of the scripts that `scripts.ts` composes.
--
-- Key      sorted set of one member a unit, scored by its time; lives for `life` ms after each charge
-- read     (key, use, place of the key) -> wait, in use, reset at, count, oldest entry's time or nil, whether its name is in
--          the window
-- charge   (key, use, count, oldest, whether its name is in the window, place of the key) -> in use, reset at
-- refund   (key, use, charge, mark): removes that many units of the charge whose first member is `mark`
--
-- Times are in microseconds. `wait` is 0 where the charge fits, -1 where it never will. The first member, the charge's
-- mark, is the use's name, else the call's name, a colon and the place of the key; then come `<mark>:2`, `<mark>:3` and so
-- on. What is a full window old is out; reading leaves it where it lies. A name that is in the window fits, and is not
-- charged again.
local function member(mark, unit)
  return unit == 1 and mark or mark .. ':' .. unit
end

-- The time of the nth entry (from 0) that is still in the window.
local function entry(key, after, before, nth)
  local found = call('ZRANGEBYSCORE', key, after, before, 'WITHSCORES', 'LIMIT', nth, 1)
  return tonumber(found[2])
end

local function is_in_window(at, window)
  return at and at > now - window and not is_beyond(at, window)
end

algorithms[2] = {
  read = function(key, use, place)
    local limit, window, charge = use.limit, use.window, use.charge
    local after = format('(%.0f', now - window)
    local before = format('%.0f', horizon(window))
    local count = redis.pcall('ZCOUNT', key, after, before)
    if type(count) == 'table' then
      -- A key of another type counts as absent.
      call('DEL', key)
      count = 0
    end
    local oldest, wait, is_known = nil, 0, false
    if count > 0 then
      oldest = entry(key, after, before, 0)
      is_known = names[place] and is_in_window(tonumber(call('ZSCORE', key, names[place])), window)
    end
    if is_known then
      wait = 0
    elseif charge > limit then
      wait = -1
    elseif count + charge > limit then
      wait = entry(key, after, before, count + charge - limit - 1) + window - now
    end
    return wait, 2 * count, oldest and oldest + window or now, count, oldest, is_known
  end,

  charge = function(key, use, count, oldest, is_known, place)
    local charge, window = use.charge, use.window
    if is_known then
      return 2 * count, oldest + window
    end
    local mark = names[place] or ARGV[2] .. ':' .. place
    call('ZREMRANGEBYSCORE', key, '-inf', now - window)
    call('ZREMRANGEBYSCORE', key, format('(%.0f', horizon(window)), '+inf')
    for first = 1, charge, AT_ONCE do
      local entries = {}
      for unit = first, min(charge, first + AT_ONCE - 1) do
        entries[#entries + 1] = now
        entries[#entries + 1] = member(mark, unit)
      end
      call('ZADD', key, unpack(entries))
    end
    call('PEXPIRE', key, use.life)
    local used = count + charge
    return 2 * used, min(oldest or now, now) + window
  end,

  refund = function(key, _, charge, mark)
    for first = 1, charge, AT_ONCE do
      local members = {}
      for unit = first, min(charge, first + AT_ONCE - 1) do
        members[#members + 1] = member(mark, unit)
      end
      redis.pcall('ZREM', key, unpack(members))
    end
  end,
}

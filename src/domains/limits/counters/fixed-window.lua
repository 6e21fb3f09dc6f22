-- Fixed window: a count for each window of the clock's own grid. A part of the scripts that `scripts.ts` composes.
--
-- State    when the window begins, its count
-- take     (use, record, at) -> wait: brings the state at this place up to now, and charges it if that fits
-- refunded (use, record, at, mark) -> whether: only while the window numbered `mark` is current
--
-- Times are in microseconds. `wait` is 0 where the charge fits, -1 where it never will.
algorithms[1] = {
  size = 2,

  take = function(use, record, at)
    local begins, charge = record[at], use.charge
    -- A clock that went back finds a later window: that one goes on. What is no count is none.
    if
      not (begins >= use.begins and record[at + 1] >= 0)
      or begins > use.begins and is_beyond(begins, use.window)
    then
      begins = use.begins
      record[at], record[at + 1] = begins, 0
    end
    local count = record[at + 1]
    if count + charge <= use.limit then
      record[at + 1] = count + use.units
      return 0
    end
    return charge > use.limit and -1 or begins + use.window - now
  end,

  refunded = function(use, record, at, mark)
    local begins = record[at]
    if begins == tonumber(mark) * use.window and use.begins <= begins then
      record[at + 1] = max(0, record[at + 1] - use.charge)
      return true
    end
  end,
}

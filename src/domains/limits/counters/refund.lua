-- Refunds charges whose windows are still current: never below 0, never above a full bucket, and never
-- creating a key. The main part of a script that `scripts.ts` composes.
--
-- KEYS     one for each refund
-- ARGV     1 the time, see values.lua; from 2 on two for each refund: its use, whose charge is what to refund, see
--          uses.lua; and its mark: a window's number, a log's first member, or empty
for i = 1, #KEYS do
  local use, mark = uses_of(ARGV[2 * i])[1], ARGV[2 * i + 1]
  use.refund(KEYS[i], use, use.charge, mark)
end
return 0

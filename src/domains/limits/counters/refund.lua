-- Refunds charges whose windows are still current: never below 0, never above a full bucket, and never
-- creating a key. The main part of a script that `scripts.ts` composes.
--
-- KEYS     one for each refund
-- ARGV     1 the time, see values.lua; from 2 on two for each refund: its use, whose charge is what to refund, see
--          uses.lua; and its mark: a window's number, a log's first member, or empty
fetch()
for i = 1, #KEYS do
  local use, mark = uses_of(ARGV[2 * i], false)[1], ARGV[2 * i + 1]
  if use.take then
    local record = record_at(KEYS[i])
    local at = find(record, use)
    if at and use.refunded(use, record, at, mark) then
      change(record)
    end
  else
    use.refunded(KEYS[i], use, mark)
  end
end
write_records()
return 0

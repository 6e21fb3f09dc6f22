-- Copies the lists of a queue as they are at one moment: jobs that move between them meanwhile are missed by a process that reads
-- them page by page.
-- ARGV[4] for how many milliseconds the copies are kept
-- Answers the name of each copy within the queue, followed by its length.
local copies = {}
for _, name in ipairs({ 'wait', 'active', 'paused' }) do
  if redis.call('TYPE', prefix .. name).ok == 'list' then
    local copy = 'repair-copy:' .. ARGV[2] .. ':' .. name
    redis.call('COPY', prefix .. name, prefix .. copy, 'REPLACE')
    redis.call('PEXPIRE', prefix .. copy, ARGV[4])
    table.insert(copies, copy)
    table.insert(copies, redis.call('LLEN', prefix .. copy))
  end
end
return copies

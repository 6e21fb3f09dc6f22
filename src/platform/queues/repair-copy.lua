-- Takes the next jobs off a copy that repair-lists made. However long the list is, the lease and the copies last while it is read.
-- ARGV[4] the name of the copy within the queue; ARGV[5] jobs at most; ARGV[6] for how many milliseconds the queue's copies are kept
-- ARGV[7…] the names of all copies
-- Answers the jobs' ids; none where the copy is lost.
for index = 7, #ARGV do redis.call('PEXPIRE', prefix .. ARGV[index], ARGV[6]) end
return redis.call('LPOP', prefix .. ARGV[4], ARGV[5]) or {}

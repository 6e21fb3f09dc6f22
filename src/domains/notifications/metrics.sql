-- name: openDeadLetters
-- Deliveries that were given up and that nobody has taken up again or discarded.
SELECT count(*)::int AS count FROM deliveries WHERE status = 'DEAD';

-- Drops a day that detach_event_day has taken out of delivery_events. Nobody reads or writes it any more.
--
-- In:  the day (UTC)
-- Out: whether it did; not where somebody still holds the table
CREATE OR REPLACE FUNCTION drop_event_day(day date) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('lock_timeout', '500ms', true);
  EXECUTE format('DROP TABLE IF EXISTS %I', 'delivery_events_' || to_char(day, 'YYYYMMDD'));
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END;
$$;

-- In:  when it is made, and its number among those of that moment
-- Out: a new UUIDv7 that is after those of the same moment with a lower number: its 12 bits after the version count up (RFC 9562,
--      section 6.2, method 1), and begin anew after 4,096
CREATE OR REPLACE FUNCTION new_uuid_v7_in_order(made_at timestamptz, n bigint) RETURNS uuid
LANGUAGE sql VOLATILE AS $$
  SELECT overlay(new_uuid_v7(made_at)::text PLACING lpad(to_hex(n % 4096), 3, '0') FROM 16 FOR 3)::uuid;
$$;

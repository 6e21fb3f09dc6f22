-- In:  when it is made
-- Out: a new UUIDv7: its first 48 bits are the milliseconds since 1970, the others are random but for version and variant
CREATE OR REPLACE FUNCTION new_uuid_v7(made_at timestamptz) RETURNS uuid
LANGUAGE sql VOLATILE AS $$
  SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    PLACING substring(int8send((extract(epoch FROM made_at) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid;
$$;

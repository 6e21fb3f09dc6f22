-- In:  a channel, and an address that it sends to
-- Out: the address as the suppression list has it. Mail addresses that differ by the case of ASCII letters alone are one: providers
--      report them in another case than they got them. A number is in E.164 already.
--
-- Made of nothing but immutable functions, so that it becomes part of the statement that calls it.
CREATE OR REPLACE FUNCTION suppressible_address(channel text, address text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE channel WHEN 'email' THEN lower(address COLLATE "C") ELSE address END;
$$;

-- How many characters two texts have in common at their beginning. In the migrations and not among the functions, since an index
-- stands on it.
CREATE FUNCTION shared_prefix(one text, other text) RETURNS int
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT count(*)::int FROM generate_series(1, least(length(one), length(other))) AS n WHERE left(one, n) = left(other, n)
$$;

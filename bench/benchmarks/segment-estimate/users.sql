-- :users accounts over two years, most of them with settings and attributes.
INSERT INTO users (id, user_id, display_name, created_at, last_seen_at, follower_count)
SELECT n, 'user-' || n, 'Person ' || n, now() - (n::float8 / :users) * interval '700 days',
  now() - abs(hashint8(n) % 5000) * interval '1 hour', n % 300
FROM generate_series(1, :users) n;
INSERT INTO user_notification_settings (user_id, timezone, language)
SELECT 'user-' || n, (ARRAY['Europe/Berlin', 'Europe/Paris', 'America/New_York', 'Asia/Tokyo', 'UTC'])[1 + n % 5], 'en'
FROM generate_series(1, :users) n WHERE n % 10 < 8;
INSERT INTO user_attribute_types (name, type, created_by)
SELECT name, type, 'bench' FROM (VALUES ('plan', 'string'), ('score', 'number'), ('spent', 'number'), ('isTester', 'boolean'), ('renewsAt', 'datetime'), ('topics', 'strings')) AS made (name, type);
INSERT INTO user_attributes (user_id, attributes)
SELECT 'user-' || n, jsonb_build_object(
  'plan', CASE WHEN n % 2000 = 7 THEN 'enterprise' WHEN abs(hashint8(n)) % 10 < 3 THEN 'pro' ELSE 'free' END,
  'score', abs(hashint8(n + 1)) % 1000, 'spent', (n % 977) / 10.0, 'isTester', n % 50 = 0,
  'renewsAt', to_char((now() + (n % 365) * interval '1 day') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T00:00:00.000Z"'),
  'topics', jsonb_build_array('topic-' || n % 40, 'topic-' || n % 7))
FROM generate_series(1, :users) n WHERE n % 10 < 9;
VACUUM (FREEZE, ANALYZE) users;
VACUUM (FREEZE, ANALYZE) user_notification_settings;
VACUUM (FREEZE, ANALYZE) user_attributes;
CHECKPOINT;

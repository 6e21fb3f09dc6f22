-- Campaigns that were over before an instant, with all that belongs to them alone: their requests are forgotten like any others.

-- name: forgetPages
-- In: $1 the instant, $2 at most so many, $3 milliseconds to look back from $1 by when campaigns were made, NULL for everything
DELETE FROM campaign_pages
WHERE ctid = ANY (ARRAY(
  SELECT p.ctid FROM campaigns c CROSS JOIN LATERAL (
    SELECT own.ctid FROM campaign_pages own WHERE own.campaign_id = c.campaign_id) AS p
  WHERE c.created_at < $1 AND c.created_at >= coalesce($1::timestamptz - $3::float8 * interval '1 millisecond', '-infinity')
    AND c.completed_at < $1 AND c.withdraw_below IS NULL
  ORDER BY c.created_at LIMIT $2));

-- name: forgetRollups
-- In: as forgetPages
DELETE FROM campaign_rollups
WHERE ctid = ANY (ARRAY(
  SELECT r.ctid FROM campaigns c CROSS JOIN LATERAL (
    SELECT own.ctid FROM campaign_rollups own WHERE own.campaign_id = c.campaign_id) AS r
  WHERE c.created_at < $1 AND c.created_at >= coalesce($1::timestamptz - $3::float8 * interval '1 millisecond', '-infinity')
    AND c.completed_at < $1
  ORDER BY c.created_at LIMIT $2));

-- name: forgetCampaigns
-- Those of which nothing else is left.
-- In: as forgetPages
DELETE FROM campaigns
WHERE ctid = ANY (ARRAY(
  SELECT c.ctid FROM campaigns c
  WHERE c.created_at < $1 AND c.created_at >= coalesce($1::timestamptz - $3::float8 * interval '1 millisecond', '-infinity')
    AND c.completed_at < $1 AND c.withdraw_below IS NULL
    AND NOT EXISTS (SELECT FROM campaign_pages p WHERE p.campaign_id = c.campaign_id)
    AND NOT EXISTS (SELECT FROM campaign_rollups r WHERE r.campaign_id = c.campaign_id)
  ORDER BY c.created_at LIMIT $2 FOR UPDATE OF c SKIP LOCKED));

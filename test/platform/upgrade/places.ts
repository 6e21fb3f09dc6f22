/**
 * Where the rows of a former table are now, by a query that gives each of its former columns. A table that is not named here has to
 * be there under its name, with all that it had.
 */
export const MOVED: Readonly<Record<string, string>> = {
  // A new projector, which begins at the end of the log, is left out.
  projector_checkpoints: `
    SELECT projector_name, position AS last_position, moved_at AS updated_at, rebuildable
    FROM projectors LEFT JOIN projector_positions USING (projector_name) WHERE projector_name <> 'webhook-events'`,
  projectors: `SELECT * FROM projectors WHERE projector_name <> 'webhook-events'`,
  projector_positions: `SELECT * FROM projector_positions WHERE projector_name <> 'webhook-events'`,
  inbox_items: 'SELECT * FROM inbox_entries',
  delivery_targets: 'SELECT * FROM target_outcomes',
  pending_messages: `
    SELECT payload ->> 'streamId' AS stream_id, (payload ->> 'streamPosition')::int AS stream_position, correlation_id, attempts, due_at
    FROM outbox WHERE kind = 'commerce.message' AND key = 'commerce.message:' || (payload ->> 'streamId') || '@' || (payload ->> 'streamPosition')`,
  feed_notices: `
    SELECT (payload ->> 'position')::bigint AS position, payload ->> 'type' AS type, payload ->> 'actor' AS actor,
      payload ->> 'subject' AS subject, correlation_id, attempts, due_at
    FROM outbox WHERE kind = 'feed.notice' AND key = 'feed.notice:' || (payload ->> 'position') || ':' || (payload ->> 'type')`,
  // Of an owner who is not known, each source has an owner of its own.
  pending_transfers: `
    SELECT payload ->> 'transferId' AS transfer_id, payload ->> 'fromAccountId' AS from_account_id, attempts, due_at,
      CASE payload ->> 'fromOwnerId' WHEN 'account ' || (payload ->> 'fromAccountId') THEN '' ELSE payload ->> 'fromOwnerId' END AS owner_id
    FROM outbox WHERE kind = 'commerce.transfer' AND key = 'commerce.transfer:' || (payload ->> 'transferId')`,
};

/** Rows that are meant to go, by a condition on the former table. */
export const GONE: Readonly<Record<string, string>> = {
  // An archive that was begun in the order of the database's collation is written again, in the order of bytes.
  event_archive_chunks: `sorted_by = 'stream' AND from_position IN (SELECT from_position FROM event_partitions WHERE archived_at IS NULL)`,
};

/** What another table has to say after the upgrade, by what former tables said: [before, after]. */
export const FOLLOWS: Readonly<Record<string, readonly [before: string, after: string]>> = {
  'each entry of the outbox is something that waited': [
    `SELECT 'commerce.message' AS kind, count(*) FROM pending_messages UNION ALL SELECT 'feed.notice', count(*) FROM feed_notices
     UNION ALL SELECT 'commerce.transfer', count(*) FROM pending_transfers
     UNION ALL SELECT 'feed.fan-out', count(*) FROM fanouts WHERE completed_at IS NULL`,
    'SELECT kind, count(*) FROM outbox GROUP BY kind',
  ],
  'fan-outs that were not finished are due': [
    'SELECT post_id, author FROM fanouts WHERE completed_at IS NULL',
    `SELECT payload ->> 'postId' AS post_id, payload ->> 'authorId' AS author FROM outbox
     WHERE kind = 'feed.fan-out' AND key = 'feed.fan-out:' || (payload ->> 'postId') AND due_at <= now()`,
  ],
  'deliveries that waited are in their mailboxes, in their order, or due as they were': [
    `SELECT delivery_id, user_id, channel, priority, status, lease_token, lease_until, last_error IS NOT NULL AS is_repeat,
       row_number() OVER (PARTITION BY user_id, channel, priority ORDER BY sequence) AS place,
       CASE status WHEN 'SCHEDULED' THEN due_at WHEN 'RETRYING' THEN next_retry_at ELSE queued_at END AS due_at
     FROM deliveries WHERE status IN ('QUEUED', 'RETRYING', 'SCHEDULED')`,
    `SELECT delivery_id, user_id, channel, priority, status, lease_token, lease_until, is_repeat,
       row_number() OVER (PARTITION BY user_id, channel, priority ORDER BY sequence) AS place, due_at
     FROM pending_deliveries`,
  ],
  'pending transfers are counted by source and by owner': [
    `SELECT 'source' AS scope, from_account_id AS id, count(*) AS pending, 0 AS sources FROM pending_transfers GROUP BY from_account_id
     UNION ALL SELECT 'owner', coalesce(nullif(owner_id, ''), 'account ' || from_account_id), count(*), count(DISTINCT from_account_id)
     FROM pending_transfers GROUP BY 2`,
    'SELECT scope, id, pending, sources FROM transfer_counts',
  ],
  'a request has come as far as it had': [
    `SELECT request_id, array_agg(status || channel ORDER BY sequence) AS deliveries FROM deliveries GROUP BY request_id`,
    `SELECT request_id, array_agg(status || channel ORDER BY sequence) AS deliveries FROM notification_requests JOIN deliveries USING (request_id)
     GROUP BY request_id`,
  ],
};

/** As above, from the first start alone: the second has a table of its own for it. */
export const FOLLOWS_FROM_USERS: Readonly<Record<string, readonly [before: string, after: string]>> = {
  'users have as many followers as they had': [
    'SELECT id, user_id, follower_count, following_count FROM users',
    'SELECT id, user_id, follower_count, following_count FROM counted_users',
  ],
};

/** Tables of the migrating itself. */
export const OF_MIGRATING = ['_prisma_migrations', '_tidings_functions'];

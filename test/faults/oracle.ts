import type { Fleet } from './fleet.js';
import { type Ledger, readContent } from './ledger.js';
import { LIVE_ACCOUNT, OTHER_ACCOUNT, PRODUCT, STOCK } from './world.js';

type Rows = <Row extends object>(sql: string, values?: unknown[]) => Promise<readonly Row[]>;

const rowsOf =
  (fleet: Fleet): Rows =>
  async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await fleet.postgres.admin.query<Row>(sql, values)).rows;

/** What still waits in the product, as sentences; none once everything that was accepted was worked off. */
export async function unsettled(fleet: Fleet): Promise<readonly string[]> {
  const rows = rowsOf(fleet);
  // Backoffs are minutes long: time is wound on for what waits for its next attempt.
  await rows(`UPDATE deliveries SET next_retry_at = now() - interval '3 s'
    WHERE status = 'RETRYING' AND next_retry_at > now() + interval '1 s'`);
  const waiting = await rows<{ what: string; n: number }>(`
    SELECT 'events before ' || projector_name AS what,
      ((SELECT coalesce(max(global_position), 0) FROM events) - position)::int AS n FROM projector_positions
    UNION ALL SELECT 'entries of ' || kind, count(*)::int FROM outbox WHERE kind LIKE 'commerce.%' GROUP BY kind
    UNION ALL SELECT 'fan-outs', count(*)::int FROM fanouts WHERE completed_at IS NULL
    UNION ALL SELECT 'deliveries ' || status || ' ' || channel, count(*)::int FROM deliveries
      WHERE status IN ('QUEUED', 'RETRYING', 'SCHEDULED') GROUP BY status, channel`);
  return waiting.filter(({ n }) => n > 0).map(({ what, n }) => `${n} ${what} wait`);
}

/** What is there and should not be, or is not there and should be, as sentences. Asked once nothing waits any more. */
export async function broken(fleet: Fleet, ledger: Ledger): Promise<readonly string[]> {
  const rows = rowsOf(fleet);
  const found = await Promise.all([
    brokenPosts(rows, ledger),
    brokenMoney(rows, ledger),
    brokenOrders(rows, ledger),
    brokenNotifications(rows, fleet, ledger),
  ]);
  return found.flat();
}

async function brokenPosts(rows: Rows, ledger: Ledger): Promise<readonly string[]> {
  const stored = await rows<{ postId: string; content: string; deleted: boolean }>(
    `SELECT post_id AS "postId", content, deleted_at IS NOT NULL AS deleted FROM posts`,
  );
  const byId = new Map(stored.map((row) => [row.postId, row]));
  const faults: string[] = [];
  for (const [key, post] of ledger.posts) {
    const row = byId.get(post.postId);
    if (!row) {
      // What is deleted may be purged.
      if (!post.deleted) faults.push(`the acknowledged post ${key} is lost`);
    } else if (row.deleted !== post.deleted)
      faults.push(`post ${key} is ${row.deleted ? '' : 'not '}deleted, and was acknowledged otherwise`);
    else if (!row.deleted && readContent(row.content)?.edit !== post.edit)
      faults.push(`post ${key} is "${row.content}" where edit ${post.edit} was acknowledged`);
  }
  const keys = stored
    .filter(({ deleted }) => !deleted)
    .map(({ content }) => readContent(content)?.key ?? content);
  faults.push(...repeated('post', keys));
  for (const key of keys)
    if (!ledger.posts.has(key) && !ledger.doubtfulPosts.has(key)) faults.push(`nobody published ${key}`);
  return faults;
}

async function brokenMoney(rows: Rows, ledger: Ledger): Promise<readonly string[]> {
  const moved = await rows<{ id: string; cents: number; transfer: string | null; account: string }>(`
    SELECT coalesce(data ->> 'transferId', data ->> 'description') AS id, data ->> 'transferId' AS transfer,
      stream_id AS account,
      ((data ->> 'amount')::numeric * CASE event_type WHEN 'MoneyDeposited' THEN 100 ELSE -100 END)::int AS cents
    FROM events WHERE event_type IN ('MoneyDeposited', 'MoneyWithdrawn')`);
  const paidIn = moved.filter(({ transfer, id }) => transfer === null && id !== 'first');
  const faults = [
    ...repeated(
      'deposit',
      paidIn.map(({ id }) => id),
    ),
  ];
  const there = new Map(paidIn.map(({ id, cents }) => [id, cents]));
  for (const [id, cents] of ledger.deposits)
    if (there.get(id) !== cents)
      faults.push(`the acknowledged deposit ${id} of ${cents} is ${there.get(id) ?? 'lost'}`);
  for (const id of there.keys())
    if (!ledger.deposits.has(id) && !ledger.doubtfulDeposits.has(id)) faults.push(`nobody paid in ${id}`);
  for (const [id, cents] of ledger.transfers) {
    const steps = moved.filter(({ transfer }) => transfer === id).map((one) => `${one.account} ${one.cents}`);
    const wanted = [`Account-${LIVE_ACCOUNT} ${-cents}`, `Account-${OTHER_ACCOUNT} ${cents}`];
    if (steps.toSorted().join() !== wanted.toSorted().join())
      faults.push(`the acknowledged transfer ${id} of ${cents} moved ${steps.join(' and ') || 'nothing'}`);
  }
  const accounts = await rows<{ account: string; balance: number }>(
    `SELECT 'Account-' || account_id AS account, balance::int FROM accounts`,
  );
  for (const { account, balance } of accounts) {
    const sum = moved.reduce((total, one) => total + (one.account === account ? one.cents : 0), 0);
    if (sum !== balance) faults.push(`${account} holds ${balance}, and its log adds up to ${sum}`);
  }
  return faults;
}

async function brokenOrders(rows: Rows, ledger: Ledger): Promise<readonly string[]> {
  const stored = await rows<{ id: string; status: string }>(`SELECT order_id AS id, status FROM orders`);
  const there = new Map(stored.map(({ id, status }) => [id, status]));
  const faults: string[] = [];
  for (const [id, status] of ledger.orders)
    if (there.get(id) !== status)
      faults.push(`the acknowledged ${id} is ${there.get(id) ?? 'lost'}, not ${status}`);
  for (const id of there.keys()) if (!ledger.orders.has(id)) faults.push(`nobody placed ${id}`);
  const count = (wanted: string): number =>
    [...ledger.orders.values()].filter((one) => one === wanted).length;
  const [shelf] = await rows<{ onHand: number; reserved: number }>(
    `SELECT on_hand::int AS "onHand", reserved::int FROM products WHERE product_id = $1`,
    [PRODUCT],
  );
  const wanted = { onHand: STOCK - count('SHIPPED'), reserved: count('CONFIRMED') };
  if (shelf?.onHand !== wanted.onHand || shelf.reserved !== wanted.reserved)
    faults.push(`the shelf is ${JSON.stringify(shelf)}, and should be ${JSON.stringify(wanted)}`);
  return faults;
}

/** A call whose outcome nobody knew may be made again; docs/notifications.md promises at least once. */
const UNSURE = `EXISTS (SELECT FROM delivery_events e WHERE e.delivery_id = d.delivery_id
  AND (e.detail ? 'outcome_unknown' OR e.detail ? 'taken_over'))`;

/** Deliveries that wait are those that are pending. */
const DISAGREEING = `SELECT coalesce(d.delivery_id, p.delivery_id) AS id
  FROM (SELECT * FROM deliveries WHERE status IN ('QUEUED', 'RETRYING', 'SCHEDULED')) AS d
  FULL JOIN pending_deliveries p ON p.delivery_id = d.delivery_id
  WHERE d.status IS DISTINCT FROM p.status`;

async function brokenNotifications(rows: Rows, fleet: Fleet, ledger: Ledger): Promise<readonly string[]> {
  const stored = await rows<{
    id: string;
    deliveryId: string;
    channel: string;
    status: string;
    suppression: string | null;
    unsure: boolean;
    inInbox: boolean;
  }>(
    `SELECT notification_id AS id, d.delivery_id AS "deliveryId", upper(channel) AS channel, status, suppression, ${UNSURE} AS unsure,
      i.item_id IS NOT NULL AS "inInbox"
     FROM deliveries d LEFT JOIN inbox_entries i ON i.item_id = d.delivery_id`,
  );
  const received = Map.groupBy(await fleet.sandbox.received(), ({ deliveryId }) => deliveryId);
  const faults = [
    ...repeated(
      'notification',
      stored.map(({ id }) => id),
    ),
    ...(await rows<{ id: string }>(DISAGREEING)).map(
      ({ id }) => `delivery ${id} is pending, and over, or neither`,
    ),
  ];
  const there = new Map(stored.map((row) => [row.id, row]));
  for (const id of ledger.notifications.keys())
    if (!there.has(id)) faults.push(`the acknowledged notification ${id} is lost`);
  for (const { id, deliveryId, channel, status, suppression, unsure, inInbox } of stored) {
    // A provider that lies about an address puts it on the suppression list: what comes later is refused, or left out.
    if (suppression === 'ADDRESS_SUPPRESSED' && ledger.mayGiveUp) continue;
    const times = channel === 'IN_APP' ? Number(inInbox) : (received.get(deliveryId)?.length ?? 0);
    if (!ledger.notifications.has(id)) faults.push(`nobody sent ${id}`);
    if (!ENDED.has(status) || (status === 'DEAD' && !ledger.mayGiveUp))
      faults.push(`notification ${id} is ${status}`);
    if (status !== 'DEAD' && times === 0)
      faults.push(`notification ${id} is ${status}, and nobody received it`);
    if (times > 1 && !unsure)
      faults.push(`notification ${id} was sent ${times} times, and no outcome was unknown`);
  }
  return faults;
}

const ENDED = new Set(['SENT', 'DELIVERED', 'OPENED', 'DEAD']);

const repeated = (what: string, ids: readonly string[]): string[] =>
  [...Map.groupBy(ids, (id) => id)].flatMap(([id, all]) =>
    all.length > 1 ? [`${what} ${id} is there ${all.length} times`] : [],
  );

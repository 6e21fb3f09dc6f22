import type pg from 'pg';
import { addCampaignRollups } from '../domains/notifications/analytics/campaign-rollups.js';
import { rollUp, unroll } from '../domains/notifications/analytics/rollup.js';
import {
  addRollups,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  startOf,
} from '../domains/notifications/analytics/rollups.js';
import type { Queryable, Statement } from '../platform/postgres/postgres.js';
import { type Cell, copyIn } from './copy-in.js';
import { countFollowers, type FollowGraph } from './follows.js';
import { type DemoEvent, MARKER_STREAM, makeHistory } from './history.js';
import { balance } from './ledger.js';
import { sql } from './load.sql.js';
import type { Demo } from './make.js';
import type { Person } from './people.js';
import type { Progress } from './progress.js';
import * as rows from './rows.js';

/** Stores the demo in one transaction, under the append lock, and analyzes its tables. */
export async function storeDemo(
  client: pg.Client,
  demo: Demo,
  progress: Progress,
): Promise<'loaded' | 'already there'> {
  await client.query('BEGIN');
  try {
    await client.query(sql.lockLog.text);
    const log = await readLog(client);
    if (log.loaded) {
      await client.query('ROLLBACK');
      return 'already there';
    }
    await storeEverything(client, demo, log, progress);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
  progress.step('analyzing');
  await client.query(sql.analyze.text);
  return 'loaded';
}

async function storeEverything(
  client: pg.Client,
  demo: Demo,
  log: LogEnd,
  progress: Progress,
): Promise<void> {
  const copy = async (name: string, statement: Statement, lines: Iterable<readonly Cell[]>) => {
    progress.step(name);
    await copyIn(client, statement, lines, progress.rows);
  };
  const follows = withoutEdges(demo, await findEdges(client, demo.people));
  const events = await newEvents(client, demo);
  const ledger = balance(events);
  progress.expect(countRows(demo, follows, events) + ledger.stock.size + ledger.credit.size);

  await client.query(sql.stageUsers.text);
  await copy('users', sql.copyUsers, rows.users(demo.people, follows, countFollowers(follows)));
  await client.query(sql.mergeUsers.text);
  await client.query(sql.mergeCounts.text);
  const ids = await readUserIds(client);
  await client.query(sql.trustReferences.text, ['replica']);
  await copy('follows', sql.copyFollows, rows.follows(follows, ids));
  await copy(
    'posts',
    sql.copyPosts,
    rows.posts(demo.posts, demo.people, ids, positions(events, log.position)),
  );
  await client.query(sql.trustReferences.text, ['origin']);
  await copy('log', sql.copyEvents, rows.events(events, log));
  await client.query(sql.passDemo.text, [log.position, log.position + events.length]);

  for (const [name, stage, load, lines, merge] of [
    ['stock', sql.stageStock, sql.copyStock, rows.stock(ledger), sql.mergeStock],
    ['credit', sql.stageCredit, sql.copyCredit, rows.credit(ledger), sql.mergeCredit],
    ['settings', sql.stageSettings, sql.copySettings, rows.settings(demo.settings), sql.mergeSettings],
    [
      'suppressions',
      sql.stageSuppressions,
      sql.copySuppressions,
      rows.suppressions(demo.suppressions),
      sql.mergeSuppressions,
    ],
    ['devices', sql.stageDevices, sql.copyDevices, rows.devices(demo.devices), sql.mergeDevices],
    [
      'attribute types',
      sql.stageAttributeTypes,
      sql.copyAttributeTypes,
      rows.attributeTypes(demo.attributeTypes),
      sql.mergeAttributeTypes,
    ],
    [
      'attributes',
      sql.stageAttributes,
      sql.copyAttributes,
      rows.attributes(demo.attributes),
      sql.mergeAttributes,
    ],
    ['templates', sql.stageTemplates, sql.copyTemplates, rows.templates(demo.templates), sql.mergeTemplates],
  ] as const) {
    await client.query(stage.text);
    await copy(name, load, lines);
    await client.query(merge.text);
  }
  await client.query(sql.forgetCreditTotals.text);
  await storeCampaigns(client, demo);
  await copy('webhooks', sql.copyWebhooks, rows.webhooks(demo.webhooks));
  await copy('what webhooks got', sql.copyWebhookDeliveries, rows.webhookDeliveries(demo.webhookDeliveries));
  await copy('what waits', sql.copyWebhookBacklogs, rows.webhookBacklogs(demo.webhookDeliveries));
  progress.step('notifications');
  await client.query(sql.acceptNotifications.text, [JSON.stringify(demo.digested)]);
  const { deadLetters } = demo;
  await client.query(sql.acceptNotifications.text, [
    JSON.stringify(deadLetters.map(({ request }) => request)),
  ]);
  await client.query(sql.addDeadLetters.text, [JSON.stringify(deadLetters)]);
  await client.query(sql.addAlerts.text, [JSON.stringify(demo.alerts)]);
  await client.query(sql.addSchedules.text, [JSON.stringify(demo.schedules)]);
  await storeReactions(client, demo);
}

/** With what became of those that are new, as all analytics show it. */
async function storeCampaigns(client: pg.Client, { campaigns, campaignResults }: Demo): Promise<void> {
  const { rows: added } = await client.query(sql.addCampaigns.text, [JSON.stringify(campaigns)]);
  const ids = new Set(added.map(({ campaignId }) => campaignId));
  const results = new Map([...campaignResults].filter(([campaignId]) => ids.has(campaignId)));
  const tx: Queryable = {
    query: (statement, values = []) =>
      client.query(typeof statement === 'string' ? statement : statement.text, [...values]),
  };
  await addCampaignRollups(tx, results);
  for (const ms of [MINUTE_MS, HOUR_MS, DAY_MS]) {
    const parts = [...results.values()].flat().flatMap((rollup) => [...unroll(rollup)]);
    const whole = rollUp(parts.map((part) => ({ ...part, startsAt: startOf(part.startsAt, ms) })));
    await addRollups(tx, ms, whole);
  }
}

/** Into inboxes of which nobody had one before: what is there is somebody's own. */
async function storeReactions(client: pg.Client, { reactions }: Demo): Promise<void> {
  await client.query(sql.putReactions.text, [JSON.stringify(reactions)]);
}

function countRows(demo: Demo, follows: FollowGraph, events: readonly DemoEvent[]): number {
  const { people, posts, settings, suppressions, devices, attributeTypes, attributes, templates } = demo;
  const { webhooks, webhookDeliveries } = demo;
  const lists = [
    ...[people, posts, events, settings, suppressions, devices, attributeTypes, attributes, templates],
    ...[webhooks, webhookDeliveries],
    ...follows.map(({ since }) => since),
  ];
  return lists.reduce((sum, list) => sum + list.length, 0);
}

/** Where the log ends: its last position, and that event's time in milliseconds. */
type LogEnd = rows.LogEnd & { readonly loaded: boolean };

async function readLog(client: pg.Client): Promise<LogEnd> {
  const { rows: found } = await client.query(sql.readLog.text, [MARKER_STREAM]);
  return found[0]!;
}

/** Edges that users who are known already have among themselves, as `follower followee`. */
async function findEdges(client: pg.Client, people: readonly Person[]): Promise<ReadonlySet<string>> {
  const { rows: found } = await client.query(sql.findEdges.text, [people.map(({ userId }) => userId)]);
  return new Set(found.map(({ follower, followee }) => `${follower} ${followee}`));
}

function withoutEdges({ follows, people }: Demo, edges: ReadonlySet<string>): FollowGraph {
  if (edges.size === 0) return follows;
  return follows.map(({ followees, since }, follower) => {
    const isNew = (place: number) => !edges.has(`${people[follower]!.userId} ${people[place]!.userId}`);
    return {
      followees: followees.filter(isNew),
      since: since.filter((_, index) => isNew(followees[index]!)),
    };
  });
}

async function readUserIds(client: pg.Client): Promise<readonly number[]> {
  const { rows: found } = await client.query(sql.readUserIds.text);
  return found.map(({ id }) => id);
}

/** The demo's history without what is about streams that somebody made before under the same ids. */
async function newEvents(client: pg.Client, demo: Demo): Promise<readonly DemoEvent[]> {
  const history = makeHistory(demo);
  const shared = history.filter(({ type }) => type !== 'PostPublished').map(({ streamId }) => streamId);
  const { rows: found } = await client.query(sql.findStreams.text, [[...new Set(shared)]]);
  if (found.length === 0) return history;
  return makeHistory(demo, new Set(found.map(({ stream_id }) => stream_id)));
}

/** The log positions that streams of one event get. */
function positions(events: readonly DemoEvent[], after: number): ReadonlyMap<string, number> {
  return new Map(events.map(({ streamId }, index) => [streamId, after + 1 + index]));
}

import type pg from 'pg';
import { type Clock, systemClock } from '../platform/clock.js';
import { createClient } from '../platform/postgres/clients.js';
import { WITHOUT_TIMEOUTS } from '../platform/postgres/postgres-timeouts.js';
import { MARKER_STREAM } from './history.js';
import { sql } from './load.sql.js';
import { showProgress, silent } from './progress.js';

export interface LoadDemoOptions {
  /** A migrated database. */
  readonly databaseUrl: string;
  /** On standard error: a bar on a terminal, else a line a step. Absent: nothing. */
  readonly progress?: boolean;
  readonly logger?: { info(fields: object, message: string): void };
  /** All times count back from its now. */
  readonly clock?: Clock;
}

/**
 * Loads demo data: users who follow each other, a week of posts, notification templates, settings and suppressed addresses, campaigns,
 * digests that wait, recurring notifications, webhooks, dead letters and alerts, accounts with transfers among them, products, customers
 * and their orders. The same rows every time, but for times. All or nothing, and only once; what users made before stays, and the demo's events about ids that are taken are left out.
 *
 * Posts and all of commerce are facts of the log; inline projections find the stock and credit that these add up to. Follows
 * are imported as rows, without events. In a log that has events already, the demo's events are dated no earlier than
 * the last of these. Feeds that are warm in Redis do not learn of the demo's posts: load before the first reader comes.
 * Nobody is notified of the demo's orders, and no worker takes up its transfers.
 *
 * @throws the database's error; then nothing was loaded
 */
export async function loadDemo(options: LoadDemoOptions): Promise<'loaded' | 'already there'> {
  const client = createClient(options.databaseUrl, {
    applicationName: 'tidings demo',
    timeouts: WITHOUT_TIMEOUTS,
  });
  await client.connect();
  try {
    const { rowCount } = await client.query(sql.findStreams.text, [[MARKER_STREAM]]);
    if (rowCount) return 'already there';
    return await load(client, options);
  } finally {
    await client.end();
  }
}

async function load(client: pg.Client, options: LoadDemoOptions): Promise<'loaded' | 'already there'> {
  const began = performance.now();
  const progress = options.progress ? showProgress() : silent;
  try {
    // What makes the rows up takes a while to import: a start that finds the demo loaded does without.
    const [{ makeDemo }, { storeDemo }] = await Promise.all([import('./make.js'), import('./store.js')]);
    progress.step('making users, follows and posts up');
    const demo = makeDemo((options.clock ?? systemClock).now());
    const outcome = await storeDemo(client, demo, progress);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    options.logger?.info({ outcome, seconds }, 'demo data');
    progress.step(`${outcome} after ${seconds} s`);
    return outcome;
  } finally {
    progress.end();
  }
}

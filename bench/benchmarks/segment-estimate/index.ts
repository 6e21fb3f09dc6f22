import { readFile } from 'node:fs/promises';
import type { App } from '../../../src/context.js';
import type { Benchmark, Outcome } from '../../harness/benchmark.ts';
import { type PostgresServer, startPostgres } from '../../harness/postgres-server.ts';
import { migrateProduct, openProductApp } from '../../harness/product-app.ts';
import { startRedis } from '../../harness/redis-server.ts';
import { type Contestant, median, type Samples } from '../../harness/rounds.ts';

const USERS = 1_000_000;
const QUICK_USERS = 100_000;
const WARM = 20;
const targets = { coldMs: 2_000, warmMs: 200 };

interface Asked {
  /** Another one in each round, so that no answer is kept from before. */
  filter(round: number): string;
  /** The same users, as anybody would count them. */
  truth(round: number): string;
  /** By how much the count may be off, of one. */
  readonly within: number;
}

const asked: Readonly<Record<string, Asked>> = {
  'campaign filter': {
    filter: (round) => `plan = "pro" and country in ("DE", "FR") and not (lastSeenDays > ${30 + round})`,
    truth: (round) => `SELECT count(*)::int FROM users u JOIN user_attributes a USING (user_id)
      JOIN user_notification_settings s USING (user_id)
      WHERE a.attributes ->> 'plan' = 'pro' AND s.timezone IN ('Europe/Berlin', 'Europe/Paris')
        AND u.last_seen_at > now() - ${31 + round} * interval '1 day'`,
    within: 0.2,
  },
  'a range': {
    filter: (round) => `score >= ${700 + round} and isTester != true`,
    truth: (round) => `SELECT count(*)::int FROM user_attributes
      WHERE (attributes ->> 'score')::int >= ${700 + round} AND NOT (attributes ->> 'isTester')::boolean`,
    within: 0.1,
  },
  'a rare value': {
    filter: (round) => `plan = "enterprise" and followerCount < ${1_000 + round}`,
    truth: () => `SELECT count(*)::int FROM user_attributes WHERE attributes ->> 'plan' = 'enterprise'`,
    within: 0,
  },
};

interface Sample {
  readonly coldMs: number;
  readonly warmMs: number;
  /** How far the count is off, of one. */
  readonly off: number;
}

/** How many of a million users a filter means: asked for the first time, out of a cache that holds nothing, and again. */
export const segmentEstimate: Benchmark = {
  name: 'segment.estimate',
  summary: 'an estimate of a segment of 1,000,000 users, for the first time and again',
  targets: { 'cold-2-s': 1, 'warm-200-ms': 1 },
  async run(context) {
    const users = context.users ?? (context.quick ? QUICK_USERS : USERS);
    const [postgres, redis] = await Promise.all([startPostgres(40), startRedis({ persistent: false })]);
    let app: App | undefined;
    try {
      await postgres.run('CREATE DATABASE segments');
      await migrateProduct(postgres.url('segments'));
      await fill(postgres, users);
      context.note(`${users} users are there`);
      app = await openProductApp(postgres.url('segments'), redis.url);
      const contestants = Object.keys(asked)
        .filter((name) => context.takesPart(name))
        .map((name) => contestant(name, app!, postgres));
      return outcomeOf(
        await context.rounds(contestants, (name, { coldMs, warmMs, off }) =>
          context.note(
            `${name}: ${coldMs.toFixed(0)} ms, again ${warmMs.toFixed(1)} ms, off by ${(100 * off).toFixed(1)} %`,
          ),
        ),
      );
    } finally {
      await app?.close();
      await redis.stop();
      await postgres.stop();
    }
  },
};

async function fill(postgres: PostgresServer, users: number): Promise<void> {
  const text = await readFile(new URL('./users.sql', import.meta.url), 'utf8');
  for (const statement of text.replaceAll(':users', String(users)).split(/;\n/))
    if (/^\w/m.test(statement)) await postgres.run(statement, 'segments');
  await postgres.run('CREATE EXTENSION IF NOT EXISTS pg_buffercache', 'segments');
}

function contestant(name: string, app: App, postgres: PostgresServer): Contestant<Sample> {
  const { filter, truth, within } = asked[name]!;
  let round = 0;
  return {
    name,
    async measure() {
      round += 1;
      const text = filter(round);
      const [wanted] = await postgres.run<{ count: number }>(truth(round), 'segments');
      await postgres.run('SELECT pg_buffercache_evict_all()', 'segments');
      const estimate = async () => {
        const begun = performance.now();
        const result = await app.notifications.segments.estimate(text, ['filter']);
        if (!result.ok) throw new Error(JSON.stringify(result.errors));
        return { ...result.value, ms: performance.now() - begun };
      };
      const { count, sample, ms: coldMs } = await estimate();
      const off = Math.abs(count - wanted!.count) / wanted!.count;
      if (off > within || sample.length !== Math.min(10, count))
        throw new Error(`${text}: ${count} with a sample of ${sample.length} instead of ${wanted!.count}`);
      const again: number[] = [];
      for (let time = 0; time < WARM; time += 1) again.push((await estimate()).ms);
      return { coldMs, warmMs: Math.max(...again), off };
    },
  };
}

function outcomeOf(samples: Samples<Sample>): Outcome {
  const figures: Record<string, number> = {};
  for (const [name, taken] of samples) {
    figures[`${name} cold ms`] = median(taken.map(({ coldMs }) => coldMs));
    figures[`${name} warm ms, slowest of ${WARM}`] = median(taken.map(({ warmMs }) => warmMs));
    figures[`${name} off by %`] = 100 * median(taken.map(({ off }) => off));
  }
  const slowest = (what: string): number =>
    Math.max(...Object.entries(figures).flatMap(([name, value]) => (name.includes(what) ? [value] : [])));
  return {
    ratios: {
      'cold-2-s': targets.coldMs / slowest(' cold ms'),
      'warm-200-ms': targets.warmMs / slowest(' warm ms'),
    },
    figures,
  };
}

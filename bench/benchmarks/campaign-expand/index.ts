import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../../../src/context.js';
import type { Caller } from '../../../src/platform/auth/caller.js';
import type { Benchmark, Outcome } from '../../harness/benchmark.ts';
import { cpuFigures, watchCpu } from '../../harness/process-cpu.ts';
import { openProductApp } from '../../harness/product-app.ts';
import { type Contestant, median, medianOfEach, type Samples } from '../../harness/rounds.ts';
import { type Ground, openGround, type Place } from '../notify-ground/ground.ts';

const USERS = 1_000_000;
const QUICK_USERS = 50_000;
const goal = 20_000;
const GOAL = `${goal}-a-second`;
/** Nothing is sent here: what was queued long ago must not hold up the rest. */
const AHEAD_MS = 86_400_000;
const EVERYBODY = 'followerCount >= 0';
const WITHIN_MS = 10_000;

/** Everybody with an account and a phone, as a service has that has run for a while. */
const accounts = (users: number): string => `
  INSERT INTO users (user_id, display_name, follower_count)
    SELECT 'member-' || n, 'Member ' || n, n % 100 FROM generate_series(1, ${users}) AS n;
  INSERT INTO user_devices (user_id, device_id, platform, device_token)
    SELECT user_id, 'phone', 'ios', encode(sha256(convert_to(user_id, 'UTF8')), 'hex') FROM users;
  CREATE TABLE bare_queue (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, user_id text NOT NULL);`;

/** A campaign to everybody from its segment into the mailboxes, by one worker that does nothing else. */
export const campaignExpand: Benchmark = {
  name: 'campaign.expand',
  summary: 'users a second of a campaign to 1,000,000 users, from segment to mailbox (--users)',
  targets: { [GOAL]: 1 },
  async run(context) {
    const users = context.users ?? (context.quick ? QUICK_USERS : USERS);
    const ground = await openGround(10, { sql: accounts(users) });
    try {
      const contestants = (['tidings', 'bare'] as const)
        .filter((name) => context.takesPart(name))
        .map((name): Contestant<Sample> => ({ name, measure: () => measurers[name](ground, users) }));
      const samples = await context.rounds(contestants, (name, { perSecond }) =>
        context.note(`${name}: ${Math.round(perSecond)} users/s`),
      );
      return outcomeOf(samples);
    } finally {
      await ground.stop();
    }
  },
};

interface Sample {
  readonly perSecond: number;
  /** Milliseconds by figure. */
  readonly cpu: Readonly<Record<string, number>>;
}

const measurers: Readonly<Record<'tidings' | 'bare', (ground: Ground, users: number) => Promise<Sample>>> = {
  async tidings(ground, users) {
    const place = await ground.fresh();
    try {
      const app = await openProductApp(place.databaseUrl, place.redis.url);
      try {
        return await expand(app, place, users);
      } finally {
        await app.close();
      }
    } finally {
      await place.stop();
    }
  },

  async bare(ground, users) {
    const place = await ground.fresh();
    try {
      const begun = performance.now();
      await place.query(
        'INSERT INTO bare_queue (user_id) SELECT user_id FROM users WHERE follower_count >= 0',
      );
      return { perSecond: (users * 1_000) / (performance.now() - begun), cpu: {} };
    } finally {
      await place.stop();
    }
  },
};

async function expand({ notifications }: App, place: Place, users: number): Promise<Sample> {
  const shop: Caller = {
    viewer: { userId: 'shop', roles: new Set(['producer'] as const), plan: 'free' },
    correlationId: 'bench',
  };
  const accepted = await notifications.campaigns.send(shop, {
    batchId: 'everybody',
    templateId: 'low.push.en',
    variables: { name: 'Reader', text: 'Are you coming?' },
    segment: { filter: EVERYBODY },
    throttle: { maxPerSecond: USERS },
  });
  if (!accepted.ok) throw new Error(JSON.stringify(accepted.errors));
  const worker = notifications.openDelivery({
    providers: { close: async () => undefined },
    aheadMs: AHEAD_MS,
  });
  const used = await watchCpu(place.pids);
  const usedBefore = process.cpuUsage();
  const begun = performance.now();
  await worker.expandCampaigns(new AbortController().signal);
  const tookMs = performance.now() - begun;
  const { user, system } = process.cpuUsage(usedBefore);
  const cpu = cpuFigures('user', { worker: (user + system) / 1e6, ...(await used()) }, users);
  await verify(place, users);
  return { perSecond: (users * 1_000) / tookMs, cpu };
}

/** @throws unless everybody has one delivery, which waits in its mailbox */
async function verify(place: Place, users: number): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const [found] = await place.query<{ deliveries: number; users: number; waiting: number }>(
      `SELECT count(*)::int AS deliveries, count(DISTINCT d.user_id)::int AS users, count(p.delivery_id)::int AS waiting
       FROM campaign_pages JOIN deliveries d USING (request_id)
       LEFT JOIN pending_deliveries p ON p.delivery_id = d.delivery_id AND p.status = 'QUEUED'`,
    );
    if (found?.deliveries === users && found.users === users && found.waiting === users) return;
    if (performance.now() > deadline) throw new Error(`${users} users have ${JSON.stringify(found)}`);
    await pause(100);
  }
}

function outcomeOf(samples: Samples<Sample>): Outcome {
  const figures: Record<string, number> = {};
  const rates: Record<string, number> = {};
  for (const [name, taken] of samples) {
    rates[name] = median(taken.map(({ perSecond }) => perSecond));
    figures[`${name} users/s`] = rates[name];
    for (const [figure, ms] of Object.entries(medianOfEach(taken.map(({ cpu }) => cpu))))
      figures[`${name} ${figure}`] = ms;
  }
  const ratios: Record<string, number> = {};
  if (rates.tidings !== undefined) {
    ratios[GOAL] = rates.tidings / goal;
    if (rates.bare !== undefined) ratios.bare = rates.tidings / rates.bare;
  }
  return { ratios, figures };
}

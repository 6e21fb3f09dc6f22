import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { leastOf, openBlockMeter, type Touched } from './blocks.ts';
import { type LoadModule, openJobs } from './jobs.ts';
import { type Ground, greedyQueries, mutations, type Operation, queries } from './operations.ts';

/** One database of some size, and what runs on it. */
export interface Site {
  readonly databaseUrl: string;
  /** Of an api process on that database. */
  readonly apiUrl: string;
  /** Variables of the product's processes there. */
  readonly environment: NodeJS.ProcessEnv;
  /** The value of the header `Authorization`. */
  authorization(userId: string, roles: readonly ('user' | 'admin' | 'producer')[]): Promise<string>;
  readonly load: LoadModule;
}

/** What operations and jobs touched, by their names. */
export type Measured = ReadonlyMap<string, Touched>;

/** The name of an operation in tables and lists. */
export const nameOf = ({ field, about }: Operation): string => `${field}: ${about}`;

/** Every operation that is measured, in the order in which they run: what a mutation makes, a later one takes. */
export const operations: readonly Operation[] = [...queries, ...greedyQueries, ...mutations];

async function readGround(databaseUrl: string): Promise<Ground> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const list = async (statement: string): Promise<string[]> =>
    (await client.query<{ id: string }>(`${statement} LIMIT 30`)).rows.map(({ id }) => id);
  const postsOf = (author: string): Promise<string[]> =>
    list(`SELECT post_id AS id FROM posts WHERE author_id ${author} ORDER BY created_at DESC`);
  const deliveriesOf = (userId: string): Promise<string[]> =>
    list(
      `SELECT delivery_id AS id FROM deliveries WHERE user_id = '${userId}' AND status = 'DELIVERED' ORDER BY created_at DESC`,
    );
  try {
    const [hotPost = '', ...hotPosts] = await postsOf('= 1');
    const [steadyPost = '', ...steadyPosts] = await postsOf('= 2');
    const { rows } = await client.query<{ users: number }>('SELECT count(*)::int AS users FROM users');
    return {
      users: rows[0]?.users ?? 0,
      hotPost,
      hotPosts,
      steadyPost,
      steadyPosts,
      otherPosts: await postsOf('> 4'),
      hotDeliveries: await deliveriesOf('hot'),
      steadyDeliveries: await deliveriesOf('steady'),
      deadLetters: await list('SELECT delivery_id AS id FROM failed_notifications ORDER BY failed_at DESC'),
      hotComments: await list(
        `SELECT comment_id AS id FROM comments WHERE post_id = '${hotPost}' ORDER BY created_at DESC`,
      ),
      ...(await readWebhooks(list)),
    };
  } finally {
    await client.end();
  }
}

async function readWebhooks(list: (statement: string) => Promise<string[]>) {
  const of = (owner: string): Promise<string[]> =>
    list(`SELECT webhook_id AS id FROM webhooks WHERE owner_id ${owner} ORDER BY created_at`);
  const [[hotWebhook = ''], [steadyWebhook = '']] = [await of(`= 'hot'`), await of(`= 'steady'`)];
  return {
    hotWebhook,
    steadyWebhook,
    otherWebhooks: await of(`LIKE 'user-%'`),
    webhookDeliveries: await list(
      `SELECT delivery_id AS id FROM webhook_deliveries WHERE webhook_id = '${hotWebhook}' ORDER BY created_at DESC`,
    ),
  };
}

/**
 * Runs every operation and then every scheduled task on a loaded database.
 *
 * @param runs of each operation, of which the one with the fewest blocks counts; a task runs once
 * @param wrong is told of an operation or a task that failed; it is then not among what was measured
 */
export async function measureAll(
  site: Site,
  runs: number,
  note: (line: string) => void,
  wrong: (name: string, why: string) => void,
): Promise<Measured> {
  const ground = await readGround(site.databaseUrl);
  const meter = await openBlockMeter(site.databaseUrl);
  const measured = new Map<string, Touched>();
  const take = async (name: string, times: number, work: (time: number) => Promise<unknown>) => {
    try {
      measured.set(name, await leastOf(meter, times, work));
    } catch (error) {
      wrong(name, String(error));
    }
  };
  try {
    note(`${ground.users} users: operations`);
    const ask = await openAsk(site);
    for (const operation of operations) {
      await untilCaching(site.apiUrl);
      await take(nameOf(operation), runs, (time) => ask(operation.as, operation.document(ground, time)));
    }
    note(`${ground.users} users: jobs`);
    const jobs = await openJobs(site.load, site.environment);
    try {
      while (!jobs.app.cacheLease.isHeld()) await new Promise((done) => setTimeout(done, 20));
      const { logger } = jobs.app;
      for (const { name, run } of jobs.schedules) {
        const signal = AbortSignal.timeout(LONGEST_JOB_MS);
        await take(`job ${name}`, 1, () =>
          run({ correlationId: randomUUID(), logger, signal } as Parameters<typeof run>[0]),
        );
      }
    } finally {
      await jobs.close();
    }
  } finally {
    await meter.close();
  }
  return measured;
}

/** From here on users have no feed in Redis yet. */
const FIRST_READER = 300;
const LONGEST_JOB_MS = 120_000;
const LONGEST_UNCACHED_MS = 60_000;

/** A process that may not answer from Redis just now reads from Postgres what otherwise comes from a cache. */
async function untilCaching(apiUrl: string): Promise<void> {
  const until = performance.now() + LONGEST_UNCACHED_MS;
  for (;;) {
    const metrics = await (await fetch(`${apiUrl}/metrics`)).text();
    if (/^cache_lease_held(\{[^}]*\})? 1$/m.test(metrics)) return;
    if (performance.now() > until) throw new Error('the api process does not come to answer from its caches');
    await new Promise((done) => setTimeout(done, 20));
  }
}

async function openAsk(site: Site): Promise<(as: Operation['as'], document: string) => Promise<void>> {
  const tokens = new Map<string, string>();
  let nextReader = FIRST_READER;
  async function tokenOf(as: Operation['as']): Promise<string> {
    const userId = as === 'somebody else each time' ? `user-${nextReader++}` : as;
    const roles = as === 'admin' ? (['user', 'admin', 'producer'] as const) : (['user'] as const);
    const token = tokens.get(userId) ?? (await site.authorization(userId, roles));
    tokens.set(userId, token);
    return token;
  }
  return async (as, query) => {
    const response = await fetch(`${site.apiUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: await tokenOf(as) },
      body: JSON.stringify({ query }),
    });
    const answer = (await response.json()) as {
      data?: Record<string, { userErrors?: readonly unknown[] } | null>;
      errors?: unknown;
    };
    const refused = Object.values(answer.data ?? {}).some((field) => field?.userErrors?.length);
    if (answer.errors || refused) throw new Error(JSON.stringify(answer).slice(0, 400));
  };
}

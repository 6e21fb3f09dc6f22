import type { Benchmark, Outcome } from '../../harness/benchmark.ts';
import { type Child, startChild } from '../../harness/child.ts';
import { type PostgresServer, startPostgres } from '../../harness/postgres-server.ts';
import { loadProduct } from '../../harness/product.ts';
import { migrateProduct, openLog, productEnvironment } from '../../harness/product-app.ts';
import { startProduct } from '../../harness/product-process.ts';
import { type RedisServer, startRedis } from '../../harness/redis-server.ts';
import { type Contestant, median, ratiosOver } from '../../harness/rounds.ts';
import type { ClientMethods } from './client-process.ts';
import { dataOf, EACH, idOf } from './events.ts';
import type { ReceiverMethods } from './receiver-process.ts';

const ours = 'tidings';
const peer = 'bare-client';
const WEBHOOKS = 10;
/** Requests to each receiver at once, as the product has them. */
const AT_ONCE = 20;

/** Events that wait for webhooks, sent by one worker process. */
export const webhookDrain: Benchmark = {
  name: 'webhook.drain',
  summary:
    'waiting events of ten webhooks sent by a worker process: tidings, and a bare HTTP client that records nothing',
  targets: { [peer]: 0.2 },
  async run(context) {
    const events = context.quick ? 3_000 : 30_000;
    const [server, redis] = [await startPostgres(60), await startRedis()];
    const receiver = startChild<ReceiverMethods>(new URL('./receiver-process.ts', import.meta.url));
    try {
      const url = `http://127.0.0.1:${await receiver.call('listen')}/`;
      await server.run('CREATE DATABASE webhooks');
      await migrateProduct(server.url('webhooks'));
      const sends: Readonly<Record<string, () => Promise<() => Promise<void>>>> = {
        [ours]: () => drain(server, redis, url, events),
        [peer]: () => post(url, events),
      };
      const contestants = Object.entries(sends)
        .filter(([name]) => context.takesPart(name))
        .map(
          ([name, send]): Contestant<number> => ({ name, measure: () => measure(receiver, events, send) }),
        );
      const samples = await context.rounds(contestants, (name, perSecond) =>
        context.note(`${name}: ${Math.round(perSecond)} events/s`),
      );
      const figures = Object.fromEntries(
        [...samples].map(([name, taken]) => [`${name} events/s`, median(taken)]),
      );
      return { ratios: ratiosOver(ours, samples, (perSecond) => perSecond), figures } satisfies Outcome;
    } finally {
      await receiver.stop();
      await redis.stop();
      await server.stop();
    }
  },
};

/** @param send begins to send, and answers what ends it */
async function measure(
  receiver: Child<ReceiverMethods>,
  events: number,
  send: () => Promise<() => Promise<void>>,
): Promise<number> {
  await receiver.call('expect', events);
  const end = await send();
  try {
    const { tookMs, repeats } = await receiver.call('untilAll');
    if (repeats > 0) throw new Error(`${repeats} events came more than once`);
    return ((events - 1) * 1_000) / tookMs;
  } finally {
    await end();
  }
}

async function drain(server: PostgresServer, redis: RedisServer, url: string, events: number) {
  const databaseUrl = server.url('webhooks');
  await fill(databaseUrl, url, events);
  await server.run('VACUUM ANALYZE webhook_backlogs, webhook_deliveries, webhooks', 'webhooks');
  const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
  const worker = await startProduct('worker', { databaseUrl, redisUrl: redis.url, env });
  return worker.stop;
}

/** Has the events wait as the product's own statements would, those of a notification for one webhook each. */
async function fill(databaseUrl: string, url: string, events: number): Promise<void> {
  const { createSecretKeeper } = await loadProduct<
    typeof import('../../../src/domains/notifications/webhooks/secrets.js')
  >('domains/notifications/webhooks/secrets.js');
  const keeper = createSecretKeeper(productEnvironment('', '').AUTH_SECRET ?? '');
  const { postgres } = await openLog(databaseUrl, 1);
  try {
    await postgres.query('TRUNCATE webhooks, webhook_deliveries, webhook_backlogs');
    for (let n = 0; n < WEBHOOKS; n += 1)
      await postgres.query(
        `INSERT INTO webhooks (webhook_id, owner_id, url, event_types, follows_lifecycle, follows_log, secret, active_since, created_at)
         VALUES ($1, 'shop', $2, '{DELIVERED}', true, false, $3, now(), now())`,
        [idOf(n), url, keeper.make(idOf(n)).stored],
      );
    const all = Array.from({ length: events }, (_, n) => n);
    await postgres.query(
      `INSERT INTO webhook_deliveries (delivery_id, webhook_id, subject, number, event_type, data, happened_at, created_at)
       SELECT e.id, e.webhook, e.subject, e.number, 'DELIVERED', e.data, '2026-01-31T12:00:00Z', now()
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::jsonb[]) AS e (id, webhook, subject, number, data)`,
      [
        all.map(idOf),
        all.map((n) => idOf(Math.floor(n / EACH) % WEBHOOKS)),
        all.map((n) => idOf(Math.floor(n / EACH))),
        all.map((n) => (n % EACH) + 1),
        all.map((n) => JSON.stringify(dataOf(n))),
      ],
    );
    await postgres.query(
      `INSERT INTO webhook_backlogs (webhook_id, subject, due_at)
       SELECT DISTINCT webhook_id, subject, now() FROM webhook_deliveries`,
    );
  } finally {
    await postgres.close();
  }
}

async function post(url: string, events: number) {
  const client = startChild<ClientMethods>(new URL('./client-process.ts', import.meta.url));
  const sent = client.call('send', url, events, WEBHOOKS * AT_ONCE);
  sent.catch(() => undefined);
  return async () => {
    await sent;
    await client.stop();
  };
}

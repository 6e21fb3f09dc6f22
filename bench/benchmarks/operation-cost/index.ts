import { setTimeout as pause } from 'node:timers/promises';
import type { BenchContext, Benchmark } from '../../harness/benchmark.ts';
import { type HttpConnections, openConnections } from '../../harness/http-connections.ts';
import { cpuFigures, type Processes, watchCpu } from '../../harness/process-cpu.ts';
import { headersWith } from '../graphql-page/request.ts';
import { openGround, type Place } from '../notify-ground/ground.ts';
import { path as notificationsPath, pacedPriority, requestBody } from '../notify-ground/people.ts';
import { type Provider, startProvider } from '../notify-ground/provider.ts';
import { type Operation, operations, type People, seed, usersSql } from './operations.ts';
import { tokenFor } from './tokens.ts';

const CONNECTIONS = 32;
const SETTLE_WITHIN_MS = 120_000;
const LOOK_EVERY_MS = 100;

/** What one operation takes from its request until nothing of it is left to do: of every process, and of Postgres' disk. */
export const operationCost: Benchmark = {
  name: 'operation.cost',
  summary: 'CPU of all processes, WAL and disk of a feed page, a post, a follow, a reaction, a notification',
  targets: {},
  async run(context) {
    const count = context.quick ? 300 : 3_000;
    const ground = await openGround(count, { sql: usersSql(count) });
    const provider = await startProvider();
    try {
      const place = await ground.fresh();
      try {
        return { ratios: {}, figures: await measureAll(context, place, provider, count) };
      } finally {
        await place.stop();
      }
    } finally {
      await provider.stop();
      await ground.stop();
    }
  },
};

async function measureAll(
  context: BenchContext,
  place: Place,
  provider: Provider,
  count: number,
): Promise<Record<string, number>> {
  const api = await place.startApi();
  const worker = await place.startWorker(provider.environment);
  const connections = openConnections(api.url, CONNECTIONS);
  const watched = { api: api.pid, worker: worker.pid, ...place.pids };
  const figures: Record<string, number> = {};
  try {
    figures['bytes of a row of follows, with its indexes'] = await bytesOfFollow(place);
    const people: People = { count, posts: [] };
    await inParallel(seed.warmUp, (n) => post(connections, seed, people, n));
    for (const operation of operations) {
      const send = (n: number) => post(connections, operation, people, n);
      if (operation.warmUp > 0) await inParallel(operation.warmUp, send);
      await untilSettled(place);
      const found = await measure(place, watched, operation.name, count, async () => {
        const bytes = await inParallel(count, (n) => send(n + operation.warmUp));
        await untilSettled(place);
        return bytes;
      });
      Object.assign(figures, found);
      context.note(`${operation.name}: ${JSON.stringify(found)}`);
    }
    const producer = headersWith(await tokenFor('producer', 'producer'));
    const notify = (n: number) =>
      accepted(connections, producer, requestBody(`cost-${n}`, pacedPriority(n), n % count, 1));
    await inParallel(count, notify);
    await provider.untilArrived(count);
    await untilSettled(place);
    const found = await measure(place, watched, 'notification', count, async () => {
      const bytes = await inParallel(count, (n) => notify(n + count));
      await provider.untilArrived(2 * count);
      await untilSettled(place);
      return bytes;
    });
    return { ...figures, ...found };
  } finally {
    connections.close();
    await Promise.all([api.stop(), worker.stop()]);
  }
}

/** Figures of `count` operations, each by the name of what it is. */
async function measure(
  place: Place,
  processes: Processes,
  what: string,
  count: number,
  work: () => Promise<number>,
): Promise<Record<string, number>> {
  const before = await disk(place);
  const used = await watchCpu(processes);
  const answered = await work();
  const cpu = await used();
  const after = await disk(place);
  return {
    ...cpuFigures(what, cpu, count),
    [`WAL bytes a ${what}`]: (after.wal - before.wal) / count,
    [`database bytes a ${what}`]: (after.size - before.size) / count,
    [`answer bytes a ${what}`]: answered / count,
  };
}

async function disk(place: Place): Promise<{ wal: number; size: number }> {
  const [row] = await place.query<{ wal: number; size: number }>(
    `SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS wal, pg_database_size(current_database())::float8 AS size`,
  );
  if (!row) throw new Error('Postgres did not say what it has written');
  return row;
}

async function bytesOfFollow(place: Place): Promise<number> {
  const [row] = await place.query<{ bytes: number }>(
    `SELECT pg_total_relation_size('follows')::float8 / count(*) AS bytes FROM follows`,
  );
  return row?.bytes ?? Number.NaN;
}

/** Answers the sum of what each call answered. */
async function inParallel(count: number, send: (n: number) => Promise<number>): Promise<number> {
  let begun = 0;
  let sum = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (begun < count) {
        // Not `sum +=`, which would read the sum before it waits.
        const answered = await send(begun++);
        sum += answered;
      }
    }),
  );
  return sum;
}

async function post(
  connections: HttpConnections,
  operation: Operation,
  people: People,
  n: number,
): Promise<number> {
  const { userId, query } = operation.request(people, n);
  const headers = headersWith(await tokenFor(userId, 'user'));
  const { body } = await connections.post({ path: '/graphql', headers, body: JSON.stringify({ query }) });
  const { data, errors } = JSON.parse(body) as { data?: Record<string, unknown>; errors?: unknown };
  if (errors || !data || !operation.accept(people, data))
    throw new Error(`${operation.name} was refused: ${body.slice(0, 400)}`);
  return body.length;
}

async function accepted(
  connections: HttpConnections,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<number> {
  const answer = await connections.post({ path: notificationsPath, headers, body });
  if (answer.status !== 202) throw new Error(`a notification was refused: ${answer.status} ${answer.body}`);
  return answer.body.length;
}

/** Until projectors have everything, and no fan-out, notice or delivery waits that is due. */
async function untilSettled(place: Place): Promise<void> {
  const deadline = performance.now() + SETTLE_WITHIN_MS;
  for (;;) {
    const rows = await place.query<{ waiting: string }>(`
      SELECT 'events' AS waiting FROM
        (SELECT max(position) AS position FROM projector_positions GROUP BY projector_name) p
        WHERE position < (SELECT max(global_position) FROM events)
      UNION ALL SELECT kind FROM outbox WHERE kind LIKE 'feed.%' AND due_at < now() + interval '1 minute'
      UNION ALL SELECT 'deliveries' FROM deliveries WHERE status IN ('QUEUED', 'RETRYING')
      LIMIT 5`);
    if (rows.length === 0) return;
    if (performance.now() > deadline)
      throw new Error(`still waiting: ${rows.map(({ waiting }) => waiting).join(', ')}`);
    await pause(LOOK_EVERY_MS);
  }
}

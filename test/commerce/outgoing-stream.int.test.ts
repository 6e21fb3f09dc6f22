import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openRedis, type Redis } from '../../src/platform/redis/redis.js';
import { EVENT_FIELD, OUTGOING_STREAM, redisTarget } from '../../src/projectors/outgoing-redis.js';
import { outgoingStream } from '../../src/projectors/outgoing-stream.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { alice, onTransfers } from './transfer-world.js';
import { type CommerceOnTest, checkpointOf, openCommerce, startProjector } from './with-commerce.js';

let on: CommerceOnTest;
let server: TestRedis;
let redis: Redis;
let world: ReturnType<typeof onTransfers>;
let running: ReturnType<typeof startProjector> | undefined;
beforeAll(async () => {
  [on, server] = await Promise.all([openCommerce(), startTestRedis()]);
  redis = openRedis([server.url], () => undefined);
  world = onTransfers(on);
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
});
afterAll(async () => {
  redis.disconnect();
  await on.close();
  await server.stop();
});

const publishing = (length = 1_000, by = redis): void => {
  running = startProjector(on, outgoingStream({ target: redisTarget(by, length), log: on.log, length }));
};
const idsOf = async () => (await redis.xrange(OUTGOING_STREAM, '-', '+')).map(([id]) => id);
const untilPublished = (): Promise<void> =>
  vi.waitFor(
    async () => {
      const head = await on.log.head();
      expect(await checkpointOf(on, 'outgoing-stream')).toBe(head);
      expect((await idsOf()).at(-1)).toBe(`${head}-0`);
    },
    { timeout: 30_000, interval: 20 },
  );
/** The ids of the positions from one to another. */
const positions = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index}-0`);

it('every event is in the stream once, in order, as a CloudEvent under its position', async () => {
  const accountId = await world.newAccount('10');
  publishing();
  await untilPublished();
  const head = await on.log.head();
  expect(await idsOf()).toEqual(positions(1, head));
  const [last] = await redis.xrevrange(OUTGOING_STREAM, '+', '-', 'COUNT', 1);
  const [field, text] = last![1];
  expect(field).toBe(EVENT_FIELD);
  expect(JSON.parse(text!)).toEqual({
    specversion: '1.0',
    id: String(head),
    source: '/tidings/log',
    type: 'tidings.MoneyDeposited',
    subject: `Account-${accountId}`,
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    datacontenttype: 'application/json',
    sequence: String(head),
    streamposition: 1,
    correlationid: alice.correlationId,
    causationid: expect.any(String),
    userid: 'alice',
    data: expect.objectContaining({ amount: '10.00' }),
  });
});

it('a holder that dies between publishing and its checkpoint publishes nothing twice', async () => {
  publishing();
  await world.newAccount('10');
  await untilPublished();
  await running!.stop();
  await on.postgres.query(
    "UPDATE projector_positions SET position = position - 2 WHERE projector_name = 'outgoing-stream'",
  );
  await world.newAccount('10');
  publishing();
  await untilPublished();
  expect(await idsOf()).toEqual(positions(1, await on.log.head()));
});

it('a stream that was flushed, or holds what is not in the log, is filled again with the next event', async () => {
  publishing();
  const spoilt = [
    () => redis.flushall(),
    () => redis.xadd(OUTGOING_STREAM, '999999999-0', 'x', 'y'),
    () => redis.xadd(OUTGOING_STREAM, '*', 'x', 'y'),
    // As where a database that was restored had events again before a worker ran.
    () => othersUnderTheSameIds((event) => ({ ...event, causationid: 'before-it-was-restored' })),
    () => othersUnderTheSameIds(() => null),
  ];
  for (const spoil of spoilt) {
    await world.newAccount('1');
    await untilPublished();
    await spoil();
    await world.newAccount('1');
    await untilPublished();
    expect(await idsOf()).toEqual(positions(1, await on.log.head()));
    const causes = (await redis.xrange(OUTGOING_STREAM, '-', '+')).map(
      ([, [, text]]) => JSON.parse(text!).causationid,
    );
    const { events } = await on.log.readAll(0, 1_000);
    expect(causes).toEqual(events.map(({ metadata }) => metadata.causationId));
  }
});

async function othersUnderTheSameIds(other: (event: object) => unknown): Promise<void> {
  const entries = await redis.xrange(OUTGOING_STREAM, '-', '+');
  await redis.del(OUTGOING_STREAM);
  for (const [id, [, text]] of entries)
    await redis.xadd(OUTGOING_STREAM, id, EVENT_FIELD, JSON.stringify(other(JSON.parse(text!))));
}

it('an event that Redis refuses for a moment is not left out, though it would take those behind it', async () => {
  await redis.flushall();
  await world.newAccount('10');
  publishing(1_000, fullForOne(3));
  await untilPublished();
  expect(await idsOf()).toEqual(positions(1, await on.log.head()));
});

/** A Redis whose memory is full at the moment of one entry of the first that are sent together. */
function fullForOne(which: number): Redis {
  let sent = 0;
  function gathering<Gathering extends ReturnType<Redis['pipeline']>>(gathered: Gathering): Gathering {
    const add = gathered.xadd.bind(gathered) as (...args: unknown[]) => Gathering;
    gathered.xadd = ((...args: unknown[]) => {
      sent += 1;
      if (sent === which) gathered.config('SET', 'maxmemory', '1');
      add(...args);
      if (sent === which) gathered.config('SET', 'maxmemory', '0');
      return gathered;
    }) as Gathering['xadd'];
    return gathered;
  }
  return Object.assign(Object.create(redis) as Redis, {
    pipeline: () => gathering(redis.pipeline()),
    multi: () => gathering(redis.multi()),
  });
}

it('the stream is trimmed, and a consumer group shares what is in it', async () => {
  await redis.flushall();
  publishing(3);
  await world.newAccount('1');
  await untilPublished();
  const head = await on.log.head();
  expect(await idsOf()).toEqual(positions(head - 2, head));
  await redis.xgroup('CREATE', OUTGOING_STREAM, 'warehouse', `${head - 2}-0`);
  const read = async (consumer: string) => {
    const group = ['GROUP', 'warehouse', consumer] as const;
    const answer = await redis.xreadgroup(...group, 'COUNT', 1, 'STREAMS', OUTGOING_STREAM, '>');
    return answer?.[0]?.[1].map(([id]) => id);
  };
  expect([await read('one'), await read('two')].flat()).toEqual(positions(head - 1, head));
});

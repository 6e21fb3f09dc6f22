import { describe, expect, it } from 'vitest';
import type { PutRules } from '../../src/domains/limits/reload/puts.js';
import { publish } from '../../src/platform/redis/channel.js';
import { isCluster, type Redis } from '../../src/platform/redis/redis.js';
import { connectTo, serversOf } from '../support/redis.js';
import { admin, good, type TestProcess, until } from './reload-world.js';
import { domainsOf, everything, inForce, keeperWorld, put } from './rule-keeper-world.js';

const world = keeperWorld();

async function listen(process: TestProcess): Promise<void> {
  // A process gets notices only once it has subscribed.
  const client = await connectTo(world.redis);
  const ask = isCluster(client) ? 'SHARDNUMSUB' : 'NUMSUB';
  const countOn = async (server: Redis) =>
    (await server.call('PUBSUB', ask, 'rate_limit_rules')) as unknown[];
  await until(async () =>
    expect((await Promise.all(serversOf(client).map(countOn))).map(([, count]) => count)).toContain(1),
  );
  client.disconnect();
  await process.keeper.lookAgain();
}

describe('a notice of changed rules', () => {
  it('that is published on `rate_limit_rules` makes a process look', async () => {
    const process = await world.start();
    await listen(process);
    await process.postgres.query(
      `INSERT INTO rate_limit_rules (version, document, put_by, put_at, correlation_id)
       VALUES ('0', $1, 'somebody', now(), 'story')`,
      [good('restored')],
    );
    const ringer = await connectTo(world.redis);
    await publish(ringer, 'rate_limit_rules', 'anything');
    ringer.disconnect();
    await inForce('restored', process);
  });

  it('is published by a reload, after which all processes look for changes', async () => {
    const [one, other] = await Promise.all([world.start(), world.start()]);
    await one.postgres.query(
      `INSERT INTO rate_limit_rules (version, document, put_by, put_at, correlation_id)
       VALUES ('0', $1, 'somebody', now(), 'story')`,
      [good('restored')],
    );
    expect(await one.keeper.reload()).toMatchObject({ ok: true, value: { domain: 'restored' } });
    await inForce('restored', other);
  });
});

describe('history', () => {
  it('shows who put what, newest first', async () => {
    const process = await world.start();
    for (const user of ['alice', 'bob']) await put(process, good(`of ${user}`), admin(user));
    const { edges, pageInfo } = await process.keeper.history(everything);
    expect(edges.map(({ node }) => node)).toMatchObject([
      { document: good('of bob'), putBy: 'bob', correlationId: 'story of bob', putAt: expect.any(Date) },
      { document: good('of alice'), putBy: 'alice', correlationId: 'story of alice' },
    ] satisfies Partial<PutRules>[]);
    expect(edges[0]?.node.version).toBe(process.keeper.current().version);
    expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  });

  it('is read in pages, forwards and backwards, and refuses foreign cursors', async () => {
    const process = await world.start();
    for (const domain of ['a', 'b', 'c', 'd', 'e']) await put(process, good(domain));
    const { keeper } = process;
    const first = await keeper.history({ limit: 2, direction: 'forward', cursor: null });
    expect(first.pageInfo.hasNextPage).toBe(true);
    const cursor = first.pageInfo.endCursor;
    expect(await domainsOf(keeper, { limit: 2, direction: 'forward', cursor })).toEqual(['c', 'b']);
    expect(await domainsOf(keeper, { limit: 2, direction: 'backward', cursor: null })).toEqual(['b', 'a']);
    expect(await domainsOf(keeper, { limit: 2, direction: 'backward', cursor })).toEqual(['e']);
    await expect(keeper.history({ limit: 2, direction: 'forward', cursor: 'x' })).rejects.toThrow(/cursor/);
  });
});

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LocalPostgres } from '../../src/local/postgres.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { type Client, signIn } from '../support/client.js';
import { graphql } from '../support/generated/gql.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { type ArchivedPostgres, recover, startArchivedPostgres } from './archived-postgres.js';

const open = graphql(`
  mutation OpenBeforeLoss { createAccount(input: { accountId: "acc" }) { version userErrors { code } } }
`);
const pay = graphql(`
  mutation PayBeforeLoss($amount: Decimal!, $commandId: ID) {
    deposit(input: { accountId: "acc", amount: $amount, commandId: $commandId }) { version userErrors { code } }
  }
`);
const publish = graphql(`
  mutation PublishBeforeLoss($content: String!) {
    publishPost(input: { content: $content }) { post { postId } userErrors { code } }
  }
`);
const look = graphql(`
  query AfterRecovery($version: Int!, $kept: ID!, $lost: ID!) {
    account(accountId: "acc", afterVersion: $version) { balance version }
    kept: post(postId: $kept) { content }
    lost: post(postId: $lost) { content }
  }
`);
const readProjectors = graphql(`query ProjectorsAfterRecovery { projectors { name state lagEvents } }`);

let folder: string;
let postgres: ArchivedPostgres;
let recovered: LocalPostgres | undefined;
let redis: TestRedis;
const processes: TestProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tidings-recovery-'));
  await chmod(folder, 0o711);
  [postgres, redis] = await Promise.all([
    startArchivedPostgres(path.join(folder, 'postgres'), path.join(folder, 'archive')),
    startTestRedis(),
  ]);
  await migrate(postgres.url);
});
afterAll(async () => {
  for (const process of processes) await process.kill('SIGKILL');
  await Promise.all([postgres?.stop(), recovered?.stop(), redis?.stop()]);
  await rm(folder, { recursive: true, force: true });
});

/** One of each process, and alice at the api. */
async function startOn(databaseUrl: string): Promise<Client> {
  const options = { databaseUrl, redisUrl: redis.url };
  const [api, worker] = await Promise.all([startApi(options), startWorker(options)]);
  processes.push(api, worker);
  return signIn(api.url, 'alice', ['user', 'admin']);
}

async function endAll(): Promise<void> {
  for (const process of processes.splice(0)) expect(await process.kill('SIGTERM')).toBe(0);
}

/** Pays and publishes. @returns the post's id */
async function act(alice: Client, amount: string, name: string): Promise<string> {
  const { deposit } = await alice.run(pay, { amount, commandId: name.replaceAll(' ', '-') });
  const { publishPost } = await alice.run(publish, { content: `published ${name}` });
  expect([...deposit!.userErrors, ...publishPost!.userErrors]).toEqual([]);
  return publishPost!.post!.postId;
}

it('a copy and the archived log bring back what was accepted until a time, and nothing that came after', async () => {
  const alice = await startOn(postgres.url);
  await alice.run(open, {});
  await act(alice, '10.00', 'before the copy');
  const copy = path.join(folder, 'copy');
  await postgres.backUp(copy);
  const kept = await act(alice, '20.00', 'in the log alone');
  const until = await postgres.now();
  const lost = await act(alice, '40.00', 'too late');
  await alice.run(look, { version: 3, kept, lost });
  await postgres.archiveAll();
  await endAll();
  await postgres.stop();

  // As docs/backup.md says: recover, empty Redis, migrate, start.
  recovered = await recover(copy, path.join(folder, 'archive'), until);
  const client = new Redis(redis.url);
  expect(await client.dbsize()).toBeGreaterThan(0);
  await client.flushall();
  client.disconnect();
  await migrate(recovered.url);
  const again = await startOn(recovered.url);

  expect(await again.run(look, { version: 2, kept, lost })).toEqual({
    account: { balance: '30.00', version: 2 },
    kept: { content: 'published in the log alone' },
    lost: null,
  });
  // A repeat of what was lost is a new command.
  const { deposit } = await again.run(pay, { amount: '40.00', commandId: 'too-late' });
  expect(deposit).toEqual({ version: 3, userErrors: [] });
  const { account } = await again.run(look, { version: 3, kept, lost });
  expect(account).toEqual({ balance: '70.00', version: 3 });
  await expect
    .poll(async () =>
      (await again.run(readProjectors, {})).projectors!.filter(
        ({ state, lagEvents }) => state !== 'LIVE' || lagEvents > 0,
      ),
    )
    .toEqual([]);
});

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../src/local/free-port.js';
import { NATS_STREAM, natsTarget } from '../../src/projectors/outgoing-nats.js';
import { outgoingStream } from '../../src/projectors/outgoing-stream.js';
import { onTransfers } from './transfer-world.js';
import { type CommerceOnTest, checkpointOf, openCommerce, startProjector } from './with-commerce.js';

const hasNats = spawnSync('nats-server', ['--version']).status === 0;
const WITHIN = { timeout: 60_000, interval: 50 };

// With `nats-server` on the PATH these run too.
describe.skipIf(!hasNats)('the outgoing stream in NATS JetStream', () => {
  let on: CommerceOnTest;
  let world: ReturnType<typeof onTransfers>;
  let folder: string;
  let port: number;
  let server: ChildProcess;
  let running: { projector: ReturnType<typeof startProjector>; target: ReturnType<typeof natsTarget> };
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tidings-nats-'));
    port = await freePort();
    [on] = await Promise.all([openCommerce(), launch()]);
    world = onTransfers(on);
  });
  afterEach(stop);
  afterAll(async () => {
    await end('SIGKILL');
    await on.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function launch(): Promise<void> {
    const account = ['--user', 'tidings', '--pass', 'a:b@c'];
    const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder, ...account];
    server = spawn('nats-server', args, { stdio: 'ignore' });
    await vi.waitFor(async () => {
      const socket = connectSocket(port, '127.0.0.1');
      await once(socket, 'data').finally(() => socket.destroy());
    }, WITHIN);
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  }
  function publish(length = 1_000): void {
    const url = new URL(`nats://tidings:${encodeURIComponent('a:b@c')}@127.0.0.1:${port}`);
    const target = natsTarget(url, length);
    const projector = startProjector(on, outgoingStream({ target, log: on.log, length }));
    running = { target, projector };
  }
  async function stop(): Promise<void> {
    await running?.projector.stop();
    await running?.target.close();
  }
  async function withManager<T>(
    use: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<T>,
  ): Promise<T> {
    const connection = await connect({ servers: `127.0.0.1:${port}`, user: 'tidings', pass: 'a:b@c' });
    try {
      return await use(await jetstreamManager(connection));
    } finally {
      await connection.close();
    }
  }
  /** Every message, in the stream's order. */
  const messages = () =>
    withManager(async ({ streams }) => {
      const { state } = await streams.info(NATS_STREAM);
      const sequences = Array.from({ length: state.messages }, (_, n) => state.first_seq + n);
      const found = await Promise.all(sequences.map((seq) => streams.getMessage(NATS_STREAM, { seq })));
      return found.map((message) => ({ subject: message!.subject, event: JSON.parse(message!.string()) }));
    });
  const untilPublished = (): Promise<void> =>
    vi.waitFor(
      async () => expect(await checkpointOf(on, 'outgoing-stream')).toBe(await on.log.head()),
      WITHIN,
    );
  async function expectAllOnce(): Promise<void> {
    await untilPublished();
    const { events } = await on.log.readAll(0, 1_000);
    expect((await messages()).map(({ event }) => [event.id, event.causationid])).toEqual(
      events.map(({ globalPosition, metadata }) => [String(globalPosition), metadata.causationId]),
    );
  }

  it('has every event once, in order, as a CloudEvent under a subject of its type', async () => {
    const accountId = await world.newAccount('10');
    publish();
    await expectAllOnce();
    const last = (await messages()).at(-1)!;
    expect(last.subject).toBe('tidings.events.MoneyDeposited');
    expect(last.event).toMatchObject({
      specversion: '1.0',
      subject: `Account-${accountId}`,
      data: { amount: '10.00' },
    });
  });

  it('has nothing twice where a holder dies between publishing and its checkpoint', async () => {
    await on.postgres.query(
      "UPDATE projector_checkpoints SET last_position = last_position - 2 WHERE projector_name = 'outgoing-stream'",
    );
    await world.newAccount('10');
    publish();
    await expectAllOnce();
  });

  it('takes nothing from a holder that was taken over', async () => {
    const url = new URL(`nats://tidings:${encodeURIComponent('a:b@c')}@127.0.0.1:${port}`);
    const former = natsTarget(url, 1_000);
    await former.newest();
    publish();
    await world.newAccount('10');
    await untilPublished();
    const late = { position: 1, type: 'Late', text: '{"id":"1"}' };
    await expect(former.add([late, late])).rejects.toThrow('wrong last sequence');
    await former.close();
    await expectAllOnce();
  });

  it('goes on by itself after the server was killed and started again', async () => {
    publish();
    await world.newAccount('10');
    await untilPublished();
    await end('SIGKILL');
    await world.newAccount('20');
    await launch();
    await world.newAccount('30');
    await expectAllOnce();
  });

  it('is filled again where it was purged, deleted, or holds what is not in the log', async () => {
    publish();
    const spoilt = [
      () => withManager(({ streams }) => streams.purge(NATS_STREAM)),
      () => withManager(({ streams }) => streams.delete(NATS_STREAM)),
      () => withManager(async (manager) => manager.jetstream().publish('tidings.events.Other', 'no JSON')),
      () =>
        withManager(async (manager) =>
          manager.jetstream().publish('tidings.events.Other', '{"id":"2","causationid":"another"}'),
        ),
    ];
    for (const spoil of spoilt) {
      await spoil();
      await world.newAccount('1');
      await expectAllOnce();
    }
  });

  it('keeps as many of the newest events as it is made for', async () => {
    await withManager(({ streams }) => streams.delete(NATS_STREAM));
    publish(3);
    await world.newAccount('1');
    await untilPublished();
    const head = await on.log.head();
    expect((await messages()).map(({ event }) => event.id)).toEqual([head - 2, head - 1, head].map(String));
  });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { vi } from 'vitest';
import { freePort, isFree } from '../../src/local/free-port.js';
import { endWithParent } from '../../src/local/processes.js';
import { findRedis } from '../../src/local/redis-binary.js';

/** Three masters that share all slots, without persistence. */
export interface TestCluster {
  /** One seed of each. */
  readonly urls: readonly string[];
  /** Which of the masters has a key at first, by its place. */
  masterOf(key: string): number;
  /** Ends one master by SIGKILL: its slots are away from then on. */
  kill(index: number): Promise<void>;
  stop(): Promise<void>;
}

const SLOTS = 16_384;
const MASTERS = 3;
/** From a server's port to that of the cluster's own bus. */
const BUS = 10_000;

/** Slots of each master; the last one has the rest. */
const SHARE = Math.ceil(SLOTS / MASTERS);

/**
 * Starts a Cluster on free ports and waits until every master serves. Stop it in `afterAll`.
 *
 * @param replica of the first master: takes its place a few seconds after that is killed
 */
export async function startTestCluster({ replica = false } = {}): Promise<TestCluster> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-cluster-'));
  const binary = await findRedis(() => undefined);
  const nodes: { port: number; server: ChildProcess }[] = [];
  for (let i = 0; i < MASTERS + Number(replica); i += 1) {
    const port = await freePortWithBus();
    nodes.push({ port, server: launch(binary, folder, port, replica) });
  }
  async function stop(): Promise<void> {
    await Promise.all(nodes.map(({ server }) => end(server)));
    await rm(folder, { recursive: true, force: true });
  }
  try {
    await join(nodes.map(({ port }) => port));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    urls: nodes.slice(0, MASTERS).map(({ port }) => `redis://127.0.0.1:${port}`),
    masterOf: (key) => Math.floor(slotOf(key) / SHARE),
    kill: (index) => end(nodes[index]!.server),
    stop,
  };
}

/** CRC16 (XMODEM) of a key, or of what stands in its braces. */
function slotOf(key: string): number {
  let crc = 0;
  for (const byte of Buffer.from(/\{([^}]+)\}/.exec(key)?.[1] ?? key)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc % SLOTS;
}

/** A port for a node, whose bus is free as well. */
export async function freePortWithBus(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (await isFree(port + BUS)) return port;
  }
}

function launch(binary: string, folder: string, port: number, replica: boolean): ChildProcess {
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    'cluster-enabled': 'yes',
    // The others serve on when one is away.
    'cluster-require-full-coverage': 'no',
    // A replica takes over after this long; where there is none, nobody waits for it.
    'cluster-node-timeout': replica ? 1_000 : 2_000,
    // A master would wait 5 s for more replicas before it serves the first.
    'repl-diskless-sync-delay': 0,
    'cluster-config-file': `nodes-${port}.conf`,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn(binary, args, { stdio: 'ignore', detached: true });
  server.on('error', () => undefined);
  endWithParent(server, 'TERM');
  return server;
}

async function join(ports: readonly number[]): Promise<void> {
  const clients = ports.map((port) =>
    new Redis({ port, retryStrategy: () => 20, maxRetriesPerRequest: null }).on('error', () => undefined),
  );
  try {
    for (const [index, client] of clients.slice(0, MASTERS).entries()) {
      await client.cluster('SET-CONFIG-EPOCH', index + 1);
      const last = Math.min(SLOTS, (index + 1) * SHARE) - 1;
      await client.cluster('ADDSLOTSRANGE', index * SHARE, last);
    }
    for (const port of ports.slice(1)) await clients[0]!.cluster('MEET', '127.0.0.1', port);
    const waiting = { timeout: 30_000, interval: 50 };
    await vi.waitFor(
      () => Promise.all(clients.map((client) => expectToServe(client, ports.length))),
      waiting,
    );
    const first = await clients[0]!.cluster('MYID');
    for (const replica of clients.slice(MASTERS)) {
      await replica.cluster('REPLICATE', first);
      await vi.waitFor(async () => expectInSync(await replica.info('replication')), waiting);
    }
  } finally {
    for (const client of clients) client.disconnect();
  }
}

async function expectToServe(client: Redis, nodes: number): Promise<void> {
  const info = await client.cluster('INFO');
  if (!info.includes('cluster_state:ok') || !info.includes(`cluster_known_nodes:${nodes}`))
    throw new Error(`the cluster is not ready:\n${info}`);
}

function expectInSync(replication: string): void {
  if (!replication.includes('master_link_status:up')) throw new Error(`no replica yet:\n${replication}`);
}

async function end(server: ChildProcess): Promise<void> {
  if (server.pid === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
}

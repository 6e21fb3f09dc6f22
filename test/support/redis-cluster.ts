import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { freePort, isFree } from '../../src/local/free-port.js';
import { endWithParent } from '../../src/local/processes.js';
import { findRedis } from '../../src/local/redis-binary.js';
import { waitFor } from './wait-for.js';

/** Three masters that share all slots, and what replicas they were given; without persistence. */
export interface TestCluster {
  /** One seed of each that is a master at first. */
  readonly urls: readonly string[];
  /** Of all nodes: the masters first, then the first one's replica, the second one's, the third one's. */
  readonly nodes: readonly string[];
  /** Which of the masters has a key at first, by its place. */
  masterOf(key: string): number;
  /** Which of the nodes has a key's slot now, by its place. */
  ownerOf(key: string): Promise<number>;
  /** Ends one node by SIGKILL. Where it is a master without a replica, its slots are away from then on. */
  kill(index: number): Promise<void>;
  /**
   * Starts a node that was killed, at its address, empty. Resolves once it is a replica that is in sync, or a master
   * again where nobody took its place.
   */
  restart(index: number): Promise<void>;
  /** A replica takes its master's place, and that one becomes its replica, as an operator does it who restarts nodes one by one. */
  promote(index: number): Promise<void>;
  /** It keeps its connections and answers nothing: its replica takes its place. */
  freeze(index: number): void;
  /** It finds that it has become a replica, where it has. */
  thaw(index: number): void;
  /** One key of each slot that has keys, and which of the nodes has it, by its place. */
  keys(): Promise<readonly { readonly key: string; readonly owner: number }[]>;
  /**
   * Moves a key's slot to another master, key by key, as `redis-cli --cluster reshard` does.
   *
   * @param halfway called once while the slot's keys are on both
   */
  moveSlot(key: string, to: number, halfway?: () => Promise<void>): Promise<void>;
  /** Empties it. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

const SLOTS = 16_384;
const MASTERS = 3;
/** From a server's port to that of the cluster's own bus. */
const BUS = 10_000;
/** Slots of each master; the last one has the rest. */
const SHARE = Math.ceil(SLOTS / MASTERS);
const WAITING = { timeout: 60_000, interval: 50 };
const MOVED_AT_ONCE = 20;

interface Node {
  readonly port: number;
  server: ChildProcess;
  isFrozen: boolean;
}

/**
 * Starts a Cluster on free ports and waits until every master serves. Stop it in `afterAll`.
 *
 * @param replicas of the first master, of the second, and of the third: each takes its master's place a few seconds after that
 *   is killed
 */
export async function startTestCluster({
  replicas = 0,
}: {
  replicas?: 0 | 1 | 2 | 3;
} = {}): Promise<TestCluster> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-cluster-'));
  const binary = await findRedis(() => undefined);
  const launchOn = (port: number): ChildProcess => launch(binary, folder, port);
  const nodes: Node[] = [];
  for (let i = 0; i < MASTERS + replicas; i += 1) {
    const port = await freePortWithBus();
    nodes.push({ port, server: launchOn(port), isFrozen: false });
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
  const isRunning = ({ server, isFrozen }: Node): boolean => !hasEnded(server) && !isFrozen;
  const all = nodes.map(({ port }) => `redis://127.0.0.1:${port}`);
  return {
    urls: all.slice(0, MASTERS),
    nodes: all,
    masterOf: (key) => Math.floor(slotOf(key) / SHARE),
    ownerOf: (key) => ownerOf(nodes.filter(isRunning), nodes, slotOf(key)),
    async kill(index) {
      await end(nodes[index]!.server);
      nodes[index]!.isFrozen = false;
    },
    async restart(index) {
      const node = nodes[index]!;
      node.server = launchOn(node.port);
      await withClient(node.port, (client) =>
        waitFor(async () => {
          expectToServe(await client.cluster('INFO'));
          const replication = await client.info('replication');
          if (replication.includes('role:slave')) expectInSync(replication);
        }, WAITING),
      );
    },
    async promote(index) {
      await withClient(nodes[index]!.port, async (client) => {
        await client.cluster('FAILOVER');
        await waitFor(async () => {
          if (!(await isMaster(client))) throw new Error('it was not promoted');
        }, WAITING);
      });
    },
    freeze(index) {
      nodes[index]!.isFrozen = nodes[index]!.server.kill('SIGSTOP');
    },
    thaw(index) {
      nodes[index]!.isFrozen = !nodes[index]!.server.kill('SIGCONT');
    },
    keys: () => keysOf(nodes, isRunning),
    moveSlot: (key, to, halfway) => moveSlot(nodes.filter(isRunning), nodes[to]!, slotOf(key), halfway),
    async flush() {
      for (const node of nodes.filter(isRunning))
        await withClient(node.port, async (client) => {
          if (await isMaster(client)) await client.flushall();
        });
    },
    stop,
  };
}

/** CRC16 (XMODEM) of a key, or of what stands in its braces. */
export function slotOf(key: string): number {
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

function launch(binary: string, folder: string, port: number): ChildProcess {
  const settings = {
    port,
    bind: '127.0.0.1',
    dir: folder,
    dbfilename: `dump-${port}.rdb`,
    save: '',
    'cluster-enabled': 'yes',
    // The others serve on when one is away.
    'cluster-require-full-coverage': 'no',
    // A replica takes over after this long: the least that the start allows.
    'cluster-node-timeout': 2_000,
    // A replica takes over however long it has heard nothing from its master, and stays with that one.
    'cluster-replica-validity-factor': 0,
    'cluster-allow-replica-migration': 'no',
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
  const clients = ports.map(open);
  try {
    for (const [index, client] of clients.slice(0, MASTERS).entries()) {
      await client.cluster('SET-CONFIG-EPOCH', index + 1);
      const last = Math.min(SLOTS, (index + 1) * SHARE) - 1;
      await client.cluster('ADDSLOTSRANGE', index * SHARE, last);
    }
    for (const port of ports.slice(1)) await clients[0]!.cluster('MEET', '127.0.0.1', port);
    const known = `cluster_known_nodes:${ports.length}`;
    const waiting = clients.map(async (client) => {
      await waitFor(async () => expectToServe(await client.cluster('INFO'), known), WAITING);
    });
    await Promise.all(waiting);
    const replicating = clients.slice(MASTERS).map(async (replica, index) => {
      await replica.cluster('REPLICATE', await clients[index]!.cluster('MYID'));
      await waitFor(async () => expectInSync(await replica.info('replication')), WAITING);
    });
    await Promise.all(replicating);
  } finally {
    for (const client of clients) client.disconnect();
  }
}

function expectToServe(info: unknown, known = ''): void {
  if (!String(info).includes('cluster_state:ok') || !String(info).includes(known))
    throw new Error(`the cluster is not ready:\n${info}`);
}

function expectInSync(replication: string): void {
  if (!replication.includes('master_link_status:up')) throw new Error(`no replica yet:\n${replication}`);
}

const isMaster = async (client: Redis): Promise<boolean> =>
  (await client.info('replication')).includes('role:master');

async function keysOf(nodes: readonly Node[], isRunning: (node: Node) => boolean) {
  const found = new Map<number, { key: string; owner: number }>();
  for (const [owner, node] of nodes.entries()) {
    if (!isRunning(node)) continue;
    const keys = await withClient(node.port, async (client) =>
      (await isMaster(client)) ? await client.keys('*') : [],
    );
    for (const key of keys) found.set(slotOf(key), { key, owner });
  }
  return [...found.values()];
}

/** Of the nodes that run, the master that says of itself that it has the slot. */
async function ownerOf(running: readonly Node[], nodes: readonly Node[], slot: number): Promise<number> {
  for (const node of running) {
    const shards = await withClient(node.port, async (client) =>
      (await isMaster(client)) ? await client.cluster('SLOTS') : [],
    );
    for (const [first, last, master] of shards)
      if (first <= slot && slot <= last && master?.[1] === node.port) return nodes.indexOf(node);
  }
  throw new Error(`no node has the slot ${slot}`);
}

async function moveSlot(
  running: readonly Node[],
  target: Node,
  slot: number,
  halfway: () => Promise<void> = async () => undefined,
): Promise<void> {
  const source = running[await ownerOf(running, running, slot)]!;
  const [from, to] = [open(source.port), open(target.port)];
  try {
    const [fromId, toId] = await Promise.all([from.cluster('MYID'), to.cluster('MYID')]);
    await to.cluster('SETSLOT', slot, 'IMPORTING', String(fromId));
    await from.cluster('SETSLOT', slot, 'MIGRATING', String(toId));
    const half = (await from.cluster('COUNTKEYSINSLOT', slot)) / 2;
    for (let moved = 0, isHalfway = false; ; ) {
      const keys = await from.cluster('GETKEYSINSLOT', slot, MOVED_AT_ONCE);
      if (!isHalfway && moved >= half) await halfway();
      isHalfway ||= moved >= half;
      if (keys.length === 0) break;
      await from.call('MIGRATE', '127.0.0.1', target.port, '', 0, 10_000, 'KEYS', ...(keys as string[]));
      moved += keys.length;
    }
    await to.cluster('SETSLOT', slot, 'NODE', String(toId));
    await from.cluster('SETSLOT', slot, 'NODE', String(toId));
  } finally {
    from.disconnect();
    to.disconnect();
  }
}

const open = (port: number): Redis =>
  new Redis({ port, retryStrategy: () => 20, maxRetriesPerRequest: null }).on('error', () => undefined);

async function withClient<T>(port: number, use: (client: Redis) => Promise<T>): Promise<T> {
  const client = open(port);
  try {
    return await use(client);
  } finally {
    client.disconnect();
  }
}

const hasEnded = (server: ChildProcess): boolean =>
  server.pid === undefined || server.exitCode !== null || server.signalCode !== null;

async function end(server: ChildProcess): Promise<void> {
  if (hasEnded(server)) return;
  const exited = once(server, 'exit');
  server.kill('SIGKILL');
  await exited;
}

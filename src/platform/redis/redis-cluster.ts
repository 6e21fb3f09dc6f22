import { Cluster, Command, type Redis } from 'ioredis';
import { removeOddValues } from '../odd-values.js';
import { GatheredWrites } from './gathered-writes.js';
import { addressOf, credentialsOf } from './redis-address.js';

/** How often a process asks who owns which slots, besides whenever a node says that it does not own one. */
const REFRESH_EVERY_MS = 5_000;

/** Reconnects without end: after 50 ms, doubling to 1 s. */
export const pauseBefore = (attempt: number): number => Math.min(1_000, 25 * 2 ** Math.min(attempt, 10));

/** A command waits for a failover by asking again, about every 100 ms; `Too many Cluster redirections` says that it took too long. */
export const WAITS_FOR_FAILOVER = { retryDelayOnFailover: 100, retryDelayOnClusterDown: 100 };

/**
 * A command waits as long as it takes: for a failover, and for a slot that is being moved, in which no script runs that names several
 * keys.
 */
export const WAITS_WITHOUT_END = {
  ...WAITS_FOR_FAILOVER,
  maxRedirections: Number.POSITIVE_INFINITY,
  // Two nodes that disagree for a moment about who has a slot are not asked in turn without a pause.
  retryDelayOnMoved: 10,
};

/** A command that a node does not take now is rejected, and is not sent later. */
export const FAILS_AT_ONCE = {
  enableOfflineQueue: false,
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
  retryDelayOnTryAgain: 5,
  maxRedirections: 4,
};

type ClusterOptions = NonNullable<ConstructorParameters<typeof Cluster<'legacy'>>[1]>;

type NodeOptions = NonNullable<ClusterOptions['redisOptions']>;

export interface ClusterSettings {
  /** Of the connection to each node. */
  readonly node: NodeOptions;
  readonly cluster: Partial<typeof WAITS_WITHOUT_END & typeof FAILS_AT_ONCE> & {
    /** It is for a subscription to shard channels. */
    readonly shardedSubscribers?: boolean;
  };
  /** Milliseconds that a command may take, with all that it waits for; without it, as long as the nodes' connections allow. */
  readonly commandMs?: number;
  /** Commands of one moment to one node are one write. */
  readonly gathers?: boolean;
  /** Values that a command finds to be odd are removed: see `removeOddValues`. */
  readonly heals?: boolean;
}

/**
 * Opens a Cluster: its nodes are found by some of them. Commands are led to where their slot is, one by one: while a slot moves,
 * some of its keys are elsewhere already.
 *
 * @param urls of some nodes; the credentials of the first are those of all
 * @param onError gets errors of connections
 */
export function openCluster(
  urls: readonly string[],
  settings: ClusterSettings,
  onError: (error: Error) => void,
): Cluster {
  const options: ClusterOptions = {
    // Asks a random node, which may still be connecting, or away.
    enableReadyCheck: false,
    clusterRetryStrategy: pauseBefore,
    // A node that is lost leaves the pool, and comes back with the slots that it is found to own.
    clusterNodeRetryStrategy: null,
    slotsRefreshInterval: REFRESH_EVERY_MS,
    // Names stay names, which certificates are made out to.
    dnsLookup: (name, found) => found(null, name),
    redisOptions: { ...settings.node, ...credentialsOf(urls[0]!) },
    ...settings.cluster,
  };
  return new WatchedCluster(urls.map(addressOf), options, settings)
    .on('error', onError)
    .on('node error', onError)
    .on('+node', (added: Redis) => {
      if (settings.gathers) gatherWritesOf(added);
      // Otherwise it would connect at its first command, which would wait for that.
      if (!added.options.readOnly) void added.connect().catch(() => undefined);
    });
}

/** Commands that may wait for a Cluster: more would fill the memory, and the Cluster once it is back. */
const MOST_WAITING = 10_000;

/** What ioredis has for a single Redis only: a limit of a command's time that counts from when it is asked for; and healing. */
class WatchedCluster extends Cluster {
  /** Since the Cluster was last ready: ioredis keeps each until it is again, also those that were given up. */
  private waiting = 0;

  constructor(
    nodes: readonly { readonly host: string; readonly port: number }[],
    options: ClusterOptions,
    private readonly settings: Pick<ClusterSettings, 'commandMs' | 'heals'>,
  ) {
    super([...nodes], options);
    this.on('ready', () => {
      this.waiting = 0;
    });
  }

  override sendCommand(...sent: Parameters<Cluster['sendCommand']>): unknown {
    const [command] = sent;
    const { commandMs, heals } = this.settings;
    // It waited for the Cluster for longer than it may take.
    if (command.isSettled) return command.promise;
    if (commandMs !== undefined && this.status !== 'ready') {
      this.waiting += 1;
      if (this.waiting > MOST_WAITING) {
        command.reject(new Error('the Redis Cluster is away'));
        return command.promise;
      }
    }
    if (commandMs !== undefined) command.setTimeout(commandMs);
    if (heals) {
      const { reject } = command;
      command.reject = (error) => {
        void removeOddValues(this, command, error);
        reject(error);
      };
    }
    return super.sendCommand(...sent);
  }
}

/** The node at an address, where there is a connection to it. */
export const nodeAt = (cluster: Cluster, address: string): Redis | undefined =>
  cluster.nodes().find(({ options: { host, port } }) => `${host}:${port}` === address);

/** The node that has a key's slot, as far as is known. */
export function nodeOf(cluster: Cluster, key: string): Redis | undefined {
  const [master] = cluster.slots[new Command('get', [key]).getSlot()] ?? [];
  return master === undefined ? undefined : nodeAt(cluster, master);
}

/**
 * The addresses of the masters that own slots, as far as is known, with the first and the last slot of each; none before a node has
 * answered.
 */
export function mastersOf(cluster: Cluster): ReadonlyMap<string, readonly [first: number, last: number]> {
  const slots = new Map<string, readonly [number, number]>();
  for (const [slot, [master] = []] of cluster.slots.entries())
    if (master !== undefined) slots.set(master, [slots.get(master)?.[0] ?? slot, slot]);
  return slots;
}

/** By slot: a text that is in it. */
const texts = new Map<number, string>();
let tried = 0;

/** A text that a key has to hold in braces to be in this slot. */
export function tagIn(slot: number): string {
  for (; !texts.has(slot); tried += 1) {
    const text = tried.toString(36);
    const its = new Command('get', [text]).getSlot();
    if (!texts.has(its)) texts.set(its, text);
  }
  return texts.get(slot)!;
}

function gatherWritesOf(node: Redis): void {
  const writes = new GatheredWrites();
  const { sendCommand } = node;
  node.sendCommand = (...sent) => {
    writes.begin(node.stream);
    return sendCommand.apply(node, sent);
  };
}

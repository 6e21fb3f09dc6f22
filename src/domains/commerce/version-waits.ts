import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.js';
import { PublicError } from '../../platform/errors.js';
import { forEverybody } from '../../platform/wake-ups/reader.js';
import type { Heard, WakeUpHub } from '../../platform/wake-ups/wake-ups.js';

/** How often the read model is asked, in case a wake-up was lost. */
const POLL_MS = 50;
/**
 * After this the read model is asked about a wait that publishers know of: what was published before they did is not heard. Most hear
 * of their version by then, and nothing is asked.
 */
const HEARD_WITHIN_MS = 10;
const MAX_WAITS_A_VIEWER = 64;

/** Something that a read model has. */
export interface Thing {
  /** `projector`: its version is the position up to which it has followed the log. */
  readonly kind: 'account' | 'order' | 'customer' | 'product' | 'transfer' | 'projector';
  readonly id: string;
}

/** The version that its read model has of it. */
export interface ThingVersion extends Thing {
  readonly version: number;
}

/** One reader's wait for something to reach a version. */
export interface VersionWait extends ThingVersion {
  /** Wakes up when its read model has changed. */
  readonly topic: string;
  /** Whose wait it is. */
  readonly userId: string;
  readonly hub: Pick<WakeUpHub, 'listen'>;
  readonly clock: Clock;
  /** By `clock`, in milliseconds. */
  readonly deadline: number;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

/** All waits of a process for versions, of whatever read model. */
export interface VersionWaits {
  /**
   * Resolves once the read model has reached the version, by what it was asked or by what a wake-up says: who reads after that
   * looks at what they get.
   *
   * @throws PublicError READ_MODEL_TIMEOUT; SERVICE_UNAVAILABLE where the client has gone, the hub has closed, or the
   *   user has 64 waits already
   */
  reached(wait: VersionWait): Promise<void>;
}

interface Waiting {
  readonly wait: VersionWait;
  readonly settle: (error?: unknown) => void;
}

/**
 * Who hears of their version in a wake-up asks no more. For all others there is one poller: it asks for all of them at once, 10 ms
 * after publishers have come to know of a wait, at each wake-up that does not say what was reached, and every 50 ms; never twice at the
 * same time, and not at all while nobody waits.
 *
 * @param readVersions the versions of those things that there are; what it throws ends every wait
 */
export function createVersionWaits(
  readVersions: (things: readonly Thing[]) => Promise<readonly ThingVersion[]>,
): VersionWaits {
  const waiting = new Set<Waiting>();
  const waitsOf = new Map<string, number>();
  let polling = false;
  /** Something changed since the poller last asked. */
  let isWoken = false;
  let pausing: AbortController | undefined;

  return {
    async reached(wait) {
      if (wait.signal.aborted) throw clientGone();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      enter(wait.userId);
      const one: Waiting = { wait, settle: (error) => (error === undefined ? resolve() : reject(error)) };
      const leave = (): void => reject(clientGone());
      wait.signal.addEventListener('abort', leave, { once: true });
      // Nobody waits for it: what happens before publishers know of it the poll finds.
      let look: NodeJS.Timeout | undefined;
      const listening = wait.hub.listen(wait.topic);
      waiting.add(one);
      // No wake-up names a position, and the log may have been followed so far already.
      if (wait.kind === 'projector') wake();
      if (!polling) void forEverybody(poll);
      wakeWhenHeard().catch(reject);
      try {
        await promise;
      } finally {
        waiting.delete(one);
        clearTimeout(look);
        wait.signal.removeEventListener('abort', leave);
        listening.then((listener) => listener.close(), reject);
        exit(wait.userId);
      }

      async function wakeWhenHeard(): Promise<void> {
        const listener = await listening;
        if (waiting.has(one)) look = setTimeout(wake, HEARD_WITHIN_MS);
        for (let heard = await listener.next(); heard; heard = await listener.next()) {
          const version = versionIn(heard, wait);
          if (version === undefined) wake();
          else if (version >= wait.version) one.settle();
        }
        reject(new PublicError('SERVICE_UNAVAILABLE', 'The server is going down'));
      }
    },
  };

  function enter(userId: string): void {
    const waits = waitsOf.get(userId) ?? 0;
    if (waits >= MAX_WAITS_A_VIEWER) {
      const message = `At most ${MAX_WAITS_A_VIEWER} reads of one user may wait for a version at once`;
      throw new PublicError('SERVICE_UNAVAILABLE', message);
    }
    waitsOf.set(userId, waits + 1);
  }

  function exit(userId: string): void {
    const waits = (waitsOf.get(userId) ?? 1) - 1;
    if (waits > 0) waitsOf.set(userId, waits);
    else waitsOf.delete(userId);
  }

  function wake(): void {
    isWoken = true;
    pausing?.abort();
  }

  async function poll(): Promise<void> {
    polling = true;
    while (waiting.size > 0) {
      if (!isWoken) await pauseUntilWoken();
      isWoken = false;
      if (waiting.size > 0) await look();
    }
    polling = false;
  }

  /** Settles those whose version is there, and those whose time is over. */
  async function look(): Promise<void> {
    const asked = [...waiting];
    try {
      const things = new Map(asked.map(({ wait }) => [keyOf(wait), { kind: wait.kind, id: wait.id }]));
      const read = await readVersions([...things.values()]);
      const versions = new Map(read.map((thing) => [keyOf(thing), thing.version]));
      for (const { wait, settle } of asked) {
        if ((versions.get(keyOf(wait)) ?? -1) >= wait.version) settle();
        else if (wait.clock.now() >= wait.deadline) settle(timedOut());
      }
    } catch (error) {
      for (const { settle } of asked) settle(error);
    }
    // A wait that was settled leaves `waiting` in a microtask of its own.
    await new Promise((resolve) => setImmediate(resolve));
  }

  async function pauseUntilWoken(): Promise<void> {
    pausing = new AbortController();
    await pause(POLL_MS, undefined, { signal: pausing.signal }).catch(() => undefined);
    pausing = undefined;
  }
}

const woken = z.object({ version: z.int() });

/** The version that a wake-up says has been reached; of a projector's position it says nothing. */
function versionIn(heard: Heard, { kind }: VersionWait): number | undefined {
  if (heard.kind !== 'woken' || kind === 'projector') return undefined;
  return woken.safeParse(heard.payload).data?.version;
}

const keyOf = ({ kind, id }: Thing): string => `${kind}:${id}`;
const clientGone = (): PublicError => new PublicError('SERVICE_UNAVAILABLE', 'The client has gone');
const timedOut = (): PublicError => new PublicError('READ_MODEL_TIMEOUT', 'Read model consistency timeout');

import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import { withinMs } from '../../deadline.js';
import type { Logger } from '../../logging/logger.js';
import type { Queryable } from '../postgres.js';
import { sql } from './positions.sql.js';

const LOOK_EVERY_MS = 1_000;
/** A server that takes longer for it is too slow to be asked for a list. */
const LOOK_MS = 1_000;

export interface Replica {
  /** Its address, without credentials. */
  readonly name: string;
  readonly postgres: Queryable;
}

/** Why no replica may answer: none is there, none is new enough for anybody, or for what this reader has written. */
export type Unused = 'away' | 'behind' | 'own_write';

/** Where the primary was at a moment of this process's monotonic clock, or later. */
interface Sighting {
  readonly at: number;
  readonly position: number;
}

interface Followed extends Replica {
  /** Up to where it had replayed at the last look; undefined: it may not be used. */
  replayed: number | undefined;
  /** It has to pass this: up to here it may have followed a primary that is no more. Infinite until it is looked at. */
  floor: number;
  /** What was logged of it last. */
  said: string | undefined;
}

export type ReplicaWatch = ReturnType<typeof watchReplicas>;

/**
 * Looks once a second how far the primary is and how far its replicas have followed. What a replica has replayed is what the
 * primary had at some sighting; since then, at most, it is behind. No clock but this process's own is asked.
 *
 * @param deps.now milliseconds that only ever grow
 */
export function watchReplicas(deps: {
  readonly primary: Queryable;
  readonly replicas: readonly Replica[];
  /** A replica that is behind by more is not used. */
  readonly maxLagMs: number;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly now?: () => number;
}) {
  const { primary, maxLagMs, logger, now = () => performance.now() } = deps;
  const closing = new AbortController();
  const replicas: Followed[] = deps.replicas.map((replica) => ({
    ...replica,
    replayed: undefined,
    floor: 0,
    said: undefined,
  }));
  let sightings: readonly Sighting[] = [];
  let timeline: string | undefined;
  /** What was written before this moment must be there. */
  let newerThan = { at: Number.NEGATIVE_INFINITY, position: 0 };

  async function look(): Promise<void> {
    await lookAtPrimary().catch(() => undefined);
    await Promise.all(replicas.map(lookAtReplica));
  }

  async function lookAtPrimary(): Promise<void> {
    const at = now();
    const { rows } = await withinMs(LOOK_MS, primary.query(sql.readPrimary));
    const { position, timeline: current } = rows[0]!;
    const [last] = sightings;
    const isAnother = timeline !== undefined && timeline !== current;
    timeline = current;
    if (isAnother || (last && position < last.position)) {
      for (const replica of replicas) replica.floor = Number.POSITIVE_INFINITY;
      sightings = [];
    }
    if (newerThan.position === Number.POSITIVE_INFINITY && at >= newerThan.at) newerThan = { at, position };
    sightings = [{ at, position }, ...sightings.filter((sighting) => at - sighting.at <= maxLagMs)];
  }

  async function lookAtReplica(replica: Followed): Promise<void> {
    try {
      const { rows } = await withinMs(LOOK_MS, replica.postgres.query(sql.readReplica));
      const [{ isReplica, position }] = rows as [(typeof rows)[number]];
      if (!isReplica) throw new Error('it is no replica any more');
      replica.replayed = position ?? 0;
      if (replica.floor === Number.POSITIVE_INFINITY) replica.floor = replica.replayed;
      report(replica, behindMs(replica) > maxLagMs ? 'it is behind' : undefined);
    } catch (error) {
      replica.replayed = undefined;
      report(replica, (error as Error).message);
    }
  }

  function report(replica: Followed, reason: string | undefined): void {
    if (closing.signal.aborted || (replica.said === undefined) === (reason === undefined)) return;
    replica.said = reason;
    if (reason === undefined) logger.info({ replica: replica.name }, 'a replica answers again');
    else logger.warn({ replica: replica.name, reason }, 'a replica is not used: the primary answers');
  }

  /** At most; infinite: by more than it may be. */
  function behindMs({ replayed, floor }: Followed): number {
    if (replayed === undefined || replayed <= floor) return Number.POSITIVE_INFINITY;
    const shown = sightings.find(({ position }) => position <= replayed);
    return shown ? now() - shown.at : Number.POSITIVE_INFINITY;
  }

  observe(deps.metrics, replicas, (replica) => ({
    lagMs: behindMs(replica),
    isUsable: behindMs(replica) <= maxLagMs,
  }));

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await look();
      await pause(LOOK_EVERY_MS, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
    }
  }
  void run();

  return {
    /**
     * The replica that answers this reader: the same one each time, as long as it may.
     *
     * @param atLeast a position that it must have replayed
     */
    choose(reader: string, atLeast: number): Replica | Unused {
      const there = replicas.filter(({ replayed }) => replayed !== undefined);
      if (there.length === 0) return 'away';
      const recent = there.filter((replica) => behindMs(replica) <= maxLagMs);
      if (recent.length === 0) return 'behind';
      const needed = Math.max(atLeast, newerThan.position);
      const usable = recent.filter(({ replayed }) => replayed! >= needed);
      return usable[placeOf(reader, usable.length)] ?? 'own_write';
    },
    /** From now on no replica answers that lacks what was written by now. */
    forgetMarks(): void {
      newerThan = { at: now(), position: Number.POSITIVE_INFINITY };
    },
    close: () => closing.abort(),
  };
}

const placeOf = (reader: string, among: number): number =>
  among === 0 ? 0 : createHash('md5').update(reader).digest().readUInt32BE() % among;

function observe(
  metrics: Registry,
  replicas: readonly Followed[],
  stateOf: (replica: Followed) => { readonly lagMs: number; readonly isUsable: boolean },
): void {
  const labelNames = ['replica'];
  const registers = [metrics];
  new Gauge({
    name: 'replica_usable',
    help: '1 while a replica may answer lists and history, 0 while it is away, no replica any more, or too far behind',
    ...{ labelNames, registers },
    collect() {
      for (const replica of replicas) this.set({ replica: replica.name }, Number(stateOf(replica).isUsable));
    },
  });
  new Gauge({
    name: 'replica_lag_seconds',
    help: 'By how much a replica is behind the primary, at most; +Inf: by more than it may be, or it is away',
    ...{ labelNames, registers },
    collect() {
      for (const replica of replicas) this.set({ replica: replica.name }, stateOf(replica).lagMs / 1_000);
    },
  });
}

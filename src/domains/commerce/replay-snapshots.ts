import type { Clock } from '../../platform/clock.js';
import type { RecordedEvent } from '../../platform/event-log/index.js';
import { createForget, type Forget } from '../../platform/forget.js';
import type { Queryable } from '../../platform/postgres/postgres.js';
import { sql } from './replay-snapshots.sql.js';

/** Who reads as of a moment mostly does so again within days; later the stream is read anew. */
const KEPT_MS = 30 * 86_400_000;

/** What a replay makes of a stream. */
export interface ReplayView {
  readonly name: string;
  /** Raised whenever the view's shape, or what it makes of events, changes: older snapshots are ignored then. */
  readonly version: number;
}

/** A view as it was after an event of the past. */
export interface ReplaySnapshot<State> {
  /** The last event in it. */
  readonly streamPosition: number;
  readonly at: Date;
  readonly state: State;
}

/** Where replays start: what earlier replays passed. */
export interface ReplaySnapshots {
  /** The last one of a stream by a moment, its whole millisecond included, and by a position of the log. */
  find<State>(
    streamId: string,
    view: ReplayView,
    until: Date,
    through: number,
  ): Promise<ReplaySnapshot<State> | null>;
  /** Keeps the view as it is after an event. Never fails: without it a later replay reads more. */
  save(view: ReplayView, event: Place, state: unknown): Promise<void>;
}

type Place = Pick<RecordedEvent, 'streamId' | 'streamPosition' | 'globalPosition' | 'createdAt'>;

const LAST_POSITION = Number.MAX_SAFE_INTEGER;

export const createReplaySnapshots = (postgres: Queryable): ReplaySnapshots => ({
  async find<State>(streamId: string, view: ReplayView, until: Date, through: number) {
    const { rows } = await postgres.query(sql.find, [
      ...[streamId, view.name, view.version, until],
      Math.min(through, LAST_POSITION),
    ]);
    return rows[0] ? { ...rows[0], state: decode<State>(rows[0].state) } : null;
  },
  async save(view, { streamId, streamPosition, globalPosition, createdAt }, state) {
    await postgres
      .query(sql.save, [
        ...[streamId, view.name, view.version],
        ...[streamPosition, globalPosition, createdAt, encode(state)],
      ])
      // A database that takes no writes still answers reads.
      .catch(() => undefined);
  },
});

/** Forgets those that were made 30 days ago. */
export const createForgetReplaySnapshots = (deps: {
  readonly postgres: Queryable;
  readonly clock: Clock;
}): Forget => createForget(deps.postgres, sql.forget, () => new Date(deps.clock.now() - KEPT_MS));

/** JSON, in which amounts (bigint) and dates keep their types. */
const encode = (state: unknown): string =>
  JSON.stringify(state, function (this: Record<string, unknown>, key, value: unknown) {
    const original = this[key];
    if (typeof original === 'bigint') return { $bigint: original.toString() };
    return original instanceof Date ? { $date: original.getTime() } : value;
  });

const decode = <State>(text: string): State =>
  JSON.parse(text, (_, value: { $bigint?: string; $date?: number } | null) => {
    if (value?.$bigint !== undefined) return BigInt(value.$bigint);
    return value?.$date === undefined ? value : new Date(value.$date);
  }) as State;

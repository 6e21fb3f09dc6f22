import type { Result } from '../errors.js';
import type { EventLog, Snapshot } from './index.js';
import type { JsonObject, NewEvent, RecordedEvent } from './types.js';

/** A snapshot is kept whenever a stream passes a multiple of this. */
export const SNAPSHOT_INTERVAL = 100;

/** How one kind of aggregate behaves. All of it is pure. */
export interface Decider<State, Command, Event extends NewEvent> {
  /** The state of an aggregate that nothing has happened to. */
  readonly initial: State;
  /** What follows from a command in a state: the events that it causes, or why it is refused. */
  decide(command: Command, state: State): Result<readonly Event[]>;
  /** The state after an event. It never refuses: the event has happened. */
  evolve(state: State, event: Event): State;
}

/** A decider whose events lie in the log, in streams of their own. */
export interface Aggregate<State, Command, Event extends NewEvent> extends Decider<State, Command, Event> {
  /** Parses an event of its streams. @throws where it is none */
  read(recorded: Pick<RecordedEvent, 'type' | 'data'>): Event;
  readonly snapshot: SnapshotShape<State>;
}

/** How a state is stored. */
export interface SnapshotShape<State> {
  /** Raised whenever what `encode` writes, or what `evolve` makes of events, changes: older snapshots are ignored then. */
  readonly version: number;
  encode(state: State): JsonObject;
  /** @throws where it is none of `encode`'s */
  decode(data: JsonObject): State;
}

/** A state, and what it is of. */
export type KeptState<State> = Pick<Loaded<State, never>, 'state' | 'version' | 'life'>;

/** An aggregate as it was loaded, or after events were added to it. */
export interface Loaded<State, Event extends NewEvent> {
  readonly streamId: string;
  readonly state: State;
  /** The last position of the stream, -1 where there is none. */
  readonly version: number;
  /** The life of the server (`server_life`) that it was read in; undefined: it has no events, or was not read at once. */
  readonly life: string | undefined;
  /** The aggregate after these events too. */
  after(events: readonly Event[]): Loaded<State, Event>;
  /** Stores the newest snapshot that has come due since loading, if one has. */
  keepSnapshot(): Promise<void>;
}

/**
 * Loads an aggregate: its snapshot, if there is one, and the events after it. A snapshot that cannot be decoded costs
 * no more than time: all events are read, and the next `keepSnapshot` takes its place.
 */
export async function load<State, Command, Event extends NewEvent>(
  log: Pick<EventLog, 'readFromSnapshot' | 'readStream' | 'saveSnapshot'>,
  aggregate: Aggregate<State, Command, Event>,
  streamId: string,
): Promise<Loaded<State, Event>> {
  const { snapshot, events, life } = await log.readFromSnapshot(streamId, aggregate.snapshot.version);
  const nothing = { state: aggregate.initial, version: -1, life: undefined };
  const kept = snapshot ? decodeOrNull(aggregate.snapshot, snapshot) : nothing;
  if (kept) return resume(log, aggregate, streamId, { ...kept, life }, events.map(aggregate.read));
  return resume(log, aggregate, streamId, nothing, (await log.readStream(streamId)).map(aggregate.read));
}

/** An aggregate as it was at a version, and the events after it. */
export function resume<State, Command, Event extends NewEvent>(
  log: Pick<EventLog, 'saveSnapshot'>,
  aggregate: Aggregate<State, Command, Event>,
  streamId: string,
  from: KeptState<State>,
  events: readonly Event[] = [],
): Loaded<State, Event> {
  return fold(from, events);

  function fold(
    { life, ...before }: KeptState<State> & { readonly due?: Due<State> },
    added: readonly Event[],
  ): Loaded<State, Event> {
    let { state, version, due } = before;
    for (const event of added) {
      state = aggregate.evolve(state, event);
      version += 1;
      if (version > 0 && version % SNAPSHOT_INTERVAL === 0) due = { state, version };
    }
    const to = { state, version, life, ...(due && { due }) };
    return {
      streamId,
      state,
      version,
      life,
      after: (more) => fold(to, more),
      async keepSnapshot() {
        if (!due) return;
        await log.saveSnapshot(streamId, aggregate.snapshot.version, {
          streamPosition: due.version,
          data: aggregate.snapshot.encode(due.state),
        });
      },
    };
  }
}

function decodeOrNull<State>(
  shape: SnapshotShape<State>,
  { data, streamPosition }: Snapshot,
): { state: State; version: number } | null {
  try {
    return { state: shape.decode(data), version: streamPosition };
  } catch {
    return null;
  }
}

interface Due<State> {
  readonly state: State;
  readonly version: number;
}

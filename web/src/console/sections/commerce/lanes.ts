import { metadataText } from '../events/event-fields.js';

interface EventLike {
  readonly streamId: string;
  readonly metadata: Record<string, unknown>;
}

export interface Placed<T> {
  readonly event: T;
  readonly lane: number;
  /** Whether it is the first that its command appended. */
  readonly startsCommand: boolean;
  readonly command: string;
}

/** The kind of a stream: what stands before its id. */
export const kindOf = (streamId: string): string => streamId.split('-', 1)[0] ?? streamId;

/** Puts events in lanes by the kind of their stream, in the order in which kinds appear, and says which command each came from. */
export function inLanes<T extends EventLike>(events: readonly T[]) {
  const lanes = [...new Set(events.map(({ streamId }) => kindOf(streamId)))];
  let last: string | undefined;
  const placed = events.map((event): Placed<T> => {
    const command = metadataText(event, 'causationId') ?? '';
    const startsCommand = command !== last;
    last = command;
    return { event, lane: lanes.indexOf(kindOf(event.streamId)), startsCommand, command };
  });
  return { lanes, placed };
}

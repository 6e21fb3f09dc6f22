import type { EventMetadata, NewEvent } from '../platform/event-log/index.js';

/** An event of the demo, but for its places in its stream and in the log. */
export interface Happening extends NewEvent {
  readonly streamId: string;
  readonly metadata: EventMetadata;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** All streams of its order, transfer or account: where one of them is somebody's own already, all their events are left out. */
  readonly relatedStreams: readonly string[];
}

/** Who stands for the shop: an admin. */
export const SHOPKEEPER = 'demo';

const LOAD = 'demo/1';

/** What happened to one stream alone, by this user and in no operation with a correlation id of its own. */
export function happening(streamId: string, event: NewEvent, userId: string, at: number): Happening {
  const metadata = { correlationId: LOAD, causationId: LOAD, userId };
  return { ...event, streamId, metadata, at, relatedStreams: [streamId] };
}

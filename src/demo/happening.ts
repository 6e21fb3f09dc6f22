import type { EventMetadata, NewEvent } from '../platform/event-log/index.js';

/** An event of the demo, but for its places in its stream and in the log. */
export interface Happening extends NewEvent {
  readonly streamId: string;
  readonly metadata: EventMetadata;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Every stream that its story is about: where one of them is somebody's own already, the story is left out. */
  readonly story: readonly string[];
}

/** Who stands for the shop: an admin. */
export const SHOPKEEPER = 'demo';

const LOAD = 'demo/1';

/** Of what has no story of its own. */
export const loaded = (userId: string): EventMetadata => ({
  correlationId: LOAD,
  causationId: LOAD,
  userId,
});

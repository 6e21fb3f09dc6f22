import type { PostCounts } from '../types.js';

/**
 * What `post_count_deltas.counter` may hold: a reaction of each kind, COMMENT and SHARE. A guard that makes or takes away
 * one writes a row with its delta beside it; nothing else changes a count.
 */
export const COUNTERS = ['LIKE', 'LOVE', 'HAHA', 'WOW', 'SAD', 'ANGRY', 'COMMENT', 'SHARE'] as const;
export type Counter = (typeof COUNTERS)[number];

/** How often each post was reacted to, commented on and shared: exact, and the same to everybody. */
export interface Counts {
  /** Of each of `postIds` that exists, by id: one round trip to Redis, and one statement for those that it lacks. */
  of(postIds: readonly string[]): Promise<Map<string, PostCounts>>;
  /** After something was counted: Redis gets what Postgres says now, unless it has it from a later moment. */
  publish(postIds: readonly string[]): Promise<void>;
}

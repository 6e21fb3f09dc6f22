import { lifecycleEvents } from '../types.js';

/** What a webhook can follow, by where it comes from. */
export interface EventTypes {
  /** Steps of the producer's own notifications. */
  readonly lifecycle: readonly string[];
  /** Events of the log, for admins. */
  readonly log: readonly string[];
}

/** @param log every type of event that the log has */
export const eventTypesOf = (log: Iterable<string>): EventTypes => ({
  lifecycle: lifecycleEvents,
  log: [...new Set(log)].sort(),
});

/**
 * - `EVENT_ARCHIVE_UNAVAILABLE`: the store did not give an object, in several tries.
 * - `EVENT_ARCHIVE_CORRUPT`: an object is not what was archived, or there is none for what was asked.
 * - `EVENT_ARCHIVE_NOT_CONFIGURED`: events are archived, and this process has no configuration of where.
 */
export type EventArchiveErrorCode =
  | 'EVENT_ARCHIVE_UNAVAILABLE'
  | 'EVENT_ARCHIVE_CORRUPT'
  | 'EVENT_ARCHIVE_NOT_CONFIGURED';

/** Events are in the archive and cannot be read there. Nothing was left out: the call failed as a whole. */
export class EventArchiveError extends Error {
  constructor(
    readonly code: EventArchiveErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`${code}: ${message}`, options);
    this.name = 'EventArchiveError';
  }
}

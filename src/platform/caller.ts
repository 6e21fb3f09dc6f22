import type { Viewer } from './auth.js';
import type { EventMetadata } from './event-log/index.js';

/** Who asks a domain for something, and in which story. */
export interface Caller {
  readonly viewer: Viewer;
  readonly correlationId: string;
}

/** The metadata of the events that a caller's command writes. */
export function metadataOf(caller: Caller, causationId: string): EventMetadata {
  return { correlationId: caller.correlationId, causationId, userId: caller.viewer.userId };
}

export const isAdmin = (caller: Caller): boolean => caller.viewer.roles.has('admin');

/** Owner or admin. */
export const mayActFor = (caller: Caller, userId: string): boolean =>
  caller.viewer.userId === userId || isAdmin(caller);

/** A client's command id in the scope of its caller, so that two users' ids never meet. */
export const scopedCommandId = (caller: Caller, operation: string, id: string): string =>
  `${caller.viewer.userId}/${operation}/${id}`;

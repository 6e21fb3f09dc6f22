import { createHash } from 'node:crypto';
import { PublicError } from '../errors.js';
import type { EventMetadata } from '../event-log/index.js';
import type { Viewer } from './auth.js';

/** Who asks a domain for something, and with which correlation id. */
export interface Caller {
  readonly viewer: Viewer;
  readonly correlationId: string;
}

/**
 * The signed-in caller of a request.
 *
 * @throws PublicError UNAUTHENTICATED for an anonymous one
 */
export function callerOf(request: {
  readonly viewer: Viewer | null;
  readonly correlationId: string;
}): Caller {
  if (!request.viewer) throw new PublicError('UNAUTHENTICATED', 'This needs a token');
  return { viewer: request.viewer, correlationId: request.correlationId };
}

/** The metadata of the events that a caller's command writes. */
export function metadataOf(caller: Caller, causationId: string): EventMetadata {
  return { correlationId: caller.correlationId, causationId, userId: caller.viewer.userId };
}

export const isAdmin = (caller: Caller): boolean => caller.viewer.roles.has('admin');

/** Who may send notifications. */
export const mayProduce = (caller: Caller): boolean => caller.viewer.roles.has('producer') || isAdmin(caller);

/** Owner or admin. */
export const mayActFor = (caller: Caller, userId: string): boolean =>
  caller.viewer.userId === userId || isAdmin(caller);

/** What the log keeps of a command id, in characters. */
const LONGEST_COMMAND_ID = 255;

/**
 * A client's command id in the scope of its caller and of the operation, so that two users' ids never meet, whatever
 * they consist of. Always fits the log.
 */
export function scopedCommandId(caller: Caller, operation: string, id: string): string {
  const scoped = JSON.stringify([caller.viewer.userId, operation, id]);
  if (scoped.length <= LONGEST_COMMAND_ID) return scoped;
  return `sha256:${createHash('sha256').update(scoped).digest('hex')}`;
}

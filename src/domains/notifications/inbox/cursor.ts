import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../../platform/paging.js';

/** Goes on after a change of a user's inbox. */
export const changeCursor = (userId: string, change: number): string => encodeCursor(userId, change);

/**
 * @returns the change to go on after; null where there is no cursor
 * @throws PublicError BAD_CURSOR; another user's cursor is none
 */
export function readChangeCursor(cursor: string | null, userId: string): number | null {
  return decodeCursor(cursor, z.tuple([z.literal(userId), z.int().nonnegative()]))?.[1] ?? null;
}

import type { RequestContext } from '../context.js';
import { isName } from '../domains/notifications/index.js';
import { callerOf, mayActFor } from '../platform/auth/caller.js';
import { PublicError } from '../platform/errors.js';

/** The options of an argument that `subjectOf` reads. */
export const WHOSE = {
  nullable: true,
  description: "Whose, by raw id or global id. Absent: the caller's. Another user's: admin.",
};

/**
 * The user whom a field is about: the caller unless an admin names another.
 *
 * @throws PublicError FORBIDDEN, or BAD_USER_INPUT for an id that no user can have
 */
export function subjectOf(context: RequestContext, userId: string | null | undefined): string {
  const caller = callerOf(context);
  const subject = userId ?? caller.viewer.userId;
  if (!mayActFor(caller, subject)) throw new PublicError('FORBIDDEN', "These are another user's");
  if (!isName(subject, 64))
    throw new PublicError('BAD_USER_INPUT', 'userId has 1 to 64 printable characters');
  return subject;
}

/** Whether a field is about somebody else: an admin looks, and nothing of that user changes by it. */
export const isOfAnother = (context: RequestContext, subject: string): boolean =>
  subject !== callerOf(context).viewer.userId;

import type { UserError } from '../../../platform/errors.js';
import { hasAtMost, isBlank, isStorable } from '../../../platform/text.js';
import { checkName } from '../text.js';

/** What a notification is about, and who acted: what makes it one of a group. */
export interface GroupMember {
  /** What it is about, the id of a post for example. With the recipient, the producer and the type it names the group. */
  readonly key: string;
  /** Who acted. Each is counted once, however often they act. */
  readonly actorId: string;
  readonly actorName: string;
}

const MAX_KEY = 128;
const MAX_ACTOR_NAME = 255;

/** What is wrong with it: GROUP_INVALID. One that is sent later cannot be grouped: it would be counted before it happened. */
export function checkMember(member: GroupMember | undefined, scheduleAt: Date | undefined): UserError[] {
  if (!member) return [];
  const path = ['input', 'group'];
  const { key, actorId, actorName } = member;
  const faults = [
    ...checkName('GROUP_INVALID', key, [...path, 'key'], MAX_KEY),
    ...checkName('GROUP_INVALID', actorId, [...path, 'actorId']),
  ];
  if (isBlank(actorName) || !hasAtMost(actorName, MAX_ACTOR_NAME) || !isStorable(actorName)) {
    const message = `actorName must have 1 to ${MAX_ACTOR_NAME} characters`;
    faults.push({ code: 'GROUP_INVALID', message, path: [...path, 'actorName'] });
  }
  if (scheduleAt) {
    const message = 'A notification of a group cannot have scheduleAt';
    faults.push({ code: 'GROUP_INVALID', message, path });
  }
  return faults;
}

import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Postgres, Queryable } from '../../../platform/postgres/postgres.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups/wake-ups.js';
import { isUuid } from '../text.js';
import type { Acknowledgements } from './acknowledge.js';
import { publishChanged } from './follow.js';
import { inboxState, type Unread } from './item.js';
import { sql as statements } from './mark.sql.js';

export const inboxActions = ['READ', 'UNREAD', 'ARCHIVE', 'UNARCHIVE'] as const;
export type InboxAction = (typeof inboxActions)[number];

export interface Marked extends Unread {
  /** How many items are other than before. */
  readonly changed: number;
  /** The number of the inbox's last change before: what changed since has a higher one. */
  readonly since: number;
}

export interface MarkDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly wakeUps: WakeUpPublisher;
  readonly logger: Logger;
  /** Called with each part that is committed. */
  readonly marked: Acknowledgements['marked'];
}

/** Of one request with ids, and of one transaction: what comes to the inbox waits for it. */
const MAX_ITEMS = 1_000;

/**
 * Marks a user's items. One that the action does not apply to, is unknown or another user's stays as it is. Being read
 * and being archived are two things: neither action changes the other. What is marked counts as delivered, and what is read
 * as opened.
 *
 * Without ids more than 1,000 are marked in parts, each committed for itself: where one fails, marking again does the rest.
 * What comes to the inbox, or is marked from elsewhere, between two parts is left alone.
 *
 * Refused with TOO_MANY_INBOX_ITEMS.
 *
 * @param itemIds null for every item that the action applies to, archived or not
 */
export async function markInbox(
  deps: MarkDeps,
  userId: string,
  action: InboxAction,
  itemIds: readonly string[] | null,
): Promise<Result<Marked>> {
  if (itemIds !== null && itemIds.length > MAX_ITEMS) {
    return refused('TOO_MANY_INBOX_ITEMS', `At most ${MAX_ITEMS} items at once`, ['input', 'itemIds']);
  }
  let isChanged = false;
  const marked: MarkDeps['marked'] = (...part) => {
    isChanged = true;
    deps.marked(...part);
  };
  const marking = { ...deps, marked };
  try {
    const { changed, from } =
      itemIds === null
        ? await markAll(marking, userId, action)
        : await markPart(marking, userId, action, async () => itemIds.filter(isUuid));
    return ok({ changed, ...(await inboxState(deps.postgres, userId)).unread, since: from });
  } finally {
    if (isChanged) await publishChanged(deps, [userId]);
  }
}

/** In the order of their last changes; marking gives an item a number that is past all that were there at the start. */
async function markAll(deps: MarkDeps, userId: string, action: InboxAction): Promise<Part> {
  let until: number | undefined;
  let after = 0;
  let changed = 0;
  for (let isMore = true; isMore; ) {
    isMore = false;
    const part = await markPart(deps, userId, action, async (tx, last) => {
      until ??= last;
      const { rows } = await tx.query(statements.next, [userId, action, after, until, MAX_ITEMS]);
      isMore = rows.length === MAX_ITEMS;
      after = rows.at(-1)?.change ?? after;
      return rows.map(({ itemId }) => itemId);
    });
    changed += part.changed;
  }
  return { changed, from: until ?? 0 };
}

interface Part {
  /** The number of the inbox's last change before. */
  readonly from: number;
  readonly changed: number;
}

/** @param choose answers which items, given the number of the inbox's last change; nothing can come to it meanwhile */
async function markPart(
  { postgres, clock, marked }: MarkDeps,
  userId: string,
  action: InboxAction,
  choose: (tx: Queryable, last: number) => Promise<readonly string[]>,
): Promise<Part> {
  const part = await postgres.transaction(async (tx) => {
    const inbox = (await tx.query(statements.lockInbox, [userId])).rows[0];
    if (!inbox) return { from: 0, changed: 0 };
    const itemIds = await choose(tx, inbox.change);
    const now = new Date(clock.now());
    const { rows } = await tx.query(statements.mark, [userId, action, itemIds, now]);
    return { from: inbox.change, changed: rows[0]!.changed };
  });
  if (part.changed > 0) marked(userId, part.from, part.from + part.changed);
  return part;
}

import type { Clock } from '../../../platform/clock.js';
import type { Result } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logger.js';
import type { PageRequest } from '../../../platform/paging.js';
import type { Postgres } from '../../../platform/postgres.js';
import type { WakeUpHub, WakeUpPublisher } from '../../../platform/wake-ups.js';
import { isUuid } from '../text.js';
import { type AcknowledgeDeps, createAcknowledgements } from './acknowledge.js';
import { followInbox, type InboxUpdate } from './follow.js';
import { findChanged, findItems, type InboxItem, inboxState, type Unread } from './item.js';
import { type InboxAction, type Marked, markInbox } from './mark.js';
import { type InboxFilter, type InboxPage, pageOfInbox } from './page.js';
import { publishChanged } from './topic.js';

export type { InboxUpdate } from './follow.js';
export type { InboxItem } from './item.js';
export { type InboxAction, inboxActions } from './mark.js';
export { type InboxFilter, type InboxPage, inboxFilters } from './page.js';

/** The in-app channel as its user sees it, for that user alone. What is handed out counts as delivered. */
export interface Inbox {
  /** See `pageOfInbox`. */
  page(userId: string, page: PageRequest, filter: InboxFilter): Promise<InboxPage>;
  /** The user's own of these, in no order. */
  items(userId: string, itemIds: readonly string[]): Promise<readonly InboxItem[]>;
  /** The user's own that changed after a change of that number, `limit` at most, in the order of their last changes. */
  changedSince(userId: string, since: number, limit: number): Promise<readonly InboxItem[]>;
  /** How many items are neither read nor archived. */
  unread(userId: string): Promise<Unread>;
  /** See `markInbox`. What is marked counts as delivered, and what is read as opened. */
  mark(userId: string, action: InboxAction, itemIds: readonly string[] | null): Promise<Result<Marked>>;
  /** See `followInbox`. */
  follow(
    hub: Pick<WakeUpHub, 'listen'>,
    userId: string,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<InboxUpdate, void>;
}

export interface InboxDeps {
  readonly postgres: Postgres;
  readonly wakeUps: WakeUpPublisher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly report: AcknowledgeDeps['report'];
}

export function createInbox(deps: InboxDeps): Inbox {
  const { postgres } = deps;
  const { handed, marked } = createAcknowledgements(deps);
  return {
    page: (userId, page, filter) => pageOfInbox(postgres, userId, page, filter, handed),
    async items(userId, itemIds) {
      const items = await findItems(postgres, userId, itemIds.filter(isUuid));
      handed(items);
      return items;
    },
    async changedSince(userId, since, limit) {
      const items = await findChanged(postgres, userId, since, limit);
      handed(items);
      return items;
    },
    unread: (userId) => inboxState(postgres, userId),
    async mark(userId, action, itemIds) {
      let isChanged = false;
      const onMarked = (from: number, to: number): void => {
        isChanged = true;
        marked(userId, from, to);
      };
      try {
        return await markInbox({ ...deps, onMarked }, userId, action, itemIds);
      } finally {
        if (isChanged) await publishChanged(deps, [userId]);
      }
    },
    follow: (hub, ...args) => followInbox({ postgres, hub, onHanded: handed }, ...args),
  };
}

import { bind } from '../../../platform/bind.js';
import { type AcknowledgeDeps, createAcknowledgements } from './acknowledge.js';
import { followInbox } from './follow.js';
import { changedSince, itemsOf, unreadOf } from './item.js';
import { type MarkDeps, markInbox } from './mark.js';
import { pageOfInbox } from './page.js';

export type { InboxUpdate } from './follow.js';
export type { InboxItem } from './item.js';
export { type InboxAction, inboxActions } from './mark.js';
export { type InboxFilter, type InboxPage, inboxFilters } from './page.js';

/** The in-app channel as its user sees it. What is handed out to them counts as delivered. */
export type Inbox = ReturnType<typeof createInbox>;

export function createInbox(deps: AcknowledgeDeps & Omit<MarkDeps, 'marked'>) {
  const acknowledging = { ...deps, ...createAcknowledgements(deps) };
  return {
    ...bind(acknowledging, {
      page: pageOfInbox,
      items: itemsOf,
      changedSince,
      unread: unreadOf,
      mark: markInbox,
      follow: followInbox,
    }),
    /** As `page`, for somebody else: nothing counts as delivered by it. */
    ...bind({ ...deps, handed: () => undefined }, { look: pageOfInbox }),
  };
}

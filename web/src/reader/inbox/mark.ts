import { client } from '../../common/client.js';
import type { InboxAction, ReaderInboxItemFragment, ReaderInboxQuery } from '../../generated/graphql.js';
import { useAtOnce } from '../at-once.js';
import { place, setUnread } from './live-inbox.js';
import { Engaged, Inbox, MarkInbox } from './queries.js';

/** Marks one item; it looks so at once. */
export function useMarkItem(): (item: ReaderInboxItemFragment, action: InboxAction) => Promise<boolean> {
  const atOnce = useAtOnce();
  return async (item, action) => {
    const marked = after(item, action);
    const isDone = await atOnce({
      mutation: MarkInbox,
      variables: { action, itemIds: [item.itemId] },
      inOrder: item.id,
      expected: {
        markInbox: {
          __typename: 'MarkInboxPayload' as const,
          changed: 1,
          unreadCount: unreadCount() + countOf(marked) - countOf(item),
          items: [marked],
          userErrors: [],
        },
      },
      update: (_, { markInbox }) => {
        for (const one of markInbox.items) place(one);
        setUnread(markInbox.unreadCount);
      },
    });
    return isDone;
  };
}

/** A tap counts for the sender's figures. */
export function reportTap({ itemId }: { readonly itemId: string }): void {
  const variables = { deliveryId: itemId, kind: 'CLICKED' as const };
  client.mutate({ mutation: Engaged, variables }).catch(() => undefined);
}

function after(item: ReaderInboxItemFragment, action: InboxAction): ReaderInboxItemFragment {
  const now = new Date().toISOString();
  switch (action) {
    case 'READ':
      return { ...item, readAt: item.readAt ?? now };
    case 'UNREAD':
      return { ...item, readAt: null };
    case 'ARCHIVE':
      return { ...item, archivedAt: item.archivedAt ?? now };
    default:
      return { ...item, archivedAt: null };
  }
}

const countOf = ({ readAt, archivedAt }: ReaderInboxItemFragment): number => Number(!readAt && !archivedAt);

function unreadCount(): number {
  const read = client.readQuery({ query: Inbox, variables: { filter: 'ALL' } }) as ReaderInboxQuery | null;
  return read?.inbox?.unreadCount ?? 0;
}

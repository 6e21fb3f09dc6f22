import type { Reference } from '@apollo/client';
import { useApolloClient, useQuery } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { client } from '../../common/client.js';
import type { InboxFilter, ReaderInboxItemFragment, ReaderInboxQuery } from '../../generated/graphql.js';
import { Inbox, InboxUpdates } from './queries.js';

/** How many notifications are unread. */
export function useUnread(): number {
  const { data } = useQuery(Inbox, { variables: { filter: 'ALL' }, fetchPolicy: 'cache-first' });
  return (data as ReaderInboxQuery | undefined)?.inbox?.unreadCount ?? 0;
}

const ANEW_AFTER_MS = 5_000;

/** Follows the inbox for as long as the reader is open, from where its first page was read. */
export function useLiveInbox(): void {
  const apollo = useApolloClient();
  const { data, refetch } = useQuery(Inbox, { variables: { filter: 'ALL' } });
  const readAfter = (data as ReaderInboxQuery | undefined)?.inbox?.updatesAfter;
  // The first page's place alone: each update has its own, and the socket goes on from the newest.
  const [from, setFrom] = useState<{ readonly after: string | undefined }>();
  if (readAfter && from === undefined) setFrom({ after: readAfter });
  useEffect(() => {
    const after = from?.after;
    if (!after) return;
    const updates = apollo.subscribe({ query: InboxUpdates, variables: { after } });
    const subscription = updates.subscribe({
      // What ends a subscription comes as its last result.
      next({ data: update, error }) {
        if (error) return followAnew();
        const change = update?.inboxUpdated;
        if (!change) return;
        if (change.item) place(change.item);
        else refetch().catch(() => undefined);
        setUnread(change.unreadCount);
      },
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    function followAnew(): void {
      refetch().then(
        ({ data: read }) => setFrom({ after: read?.inbox?.updatesAfter }),
        () => {
          timer = setTimeout(followAnew, ANEW_AFTER_MS);
        },
      );
    }
    return () => {
      clearTimeout(timer);
      subscription.unsubscribe();
    };
  }, [apollo, from, refetch]);
}

interface StoredInbox {
  readonly edges?: readonly { readonly node: Reference }[];
}

const belongs: Record<InboxFilter, (item: ReaderInboxItemFragment) => boolean> = {
  ALL: ({ archivedAt }) => !archivedAt,
  UNREAD: ({ archivedAt, readAt }) => !archivedAt && !readAt,
  ARCHIVED: ({ archivedAt }) => Boolean(archivedAt),
};

/** Puts an item where it belongs in every list that was loaded: by time, newest first; what was read stays where it is seen. */
export function place(item: ReaderInboxItemFragment): void {
  const node: Reference = { __ref: `InboxItem:${item.id}` };
  client.cache.modify({
    fields: {
      inbox(stored, { storeFieldName, readField }) {
        const list = stored as unknown as StoredInbox | null;
        if (!list?.edges) return stored;
        const filter = (['UNREAD', 'ARCHIVED'] as const).find((one) => storeFieldName.includes(one)) ?? 'ALL';
        const isPresent = list.edges.some((edge) => edge.node.__ref === node.__ref);
        // It has come above the first page.
        if (!isPresent && storeFieldName.includes('"after"')) return stored;
        const others = list.edges.filter((edge) => edge.node.__ref !== node.__ref);
        if (!belongs[filter](item))
          return filter === 'UNREAD' && !item.archivedAt ? stored : { ...list, edges: others };
        const at = others.findIndex((edge) => String(readField('createdAt', edge.node)) < item.createdAt);
        if (at < 0 && !isPresent && others.length > 0) return stored;
        const place = at < 0 ? others.length : at;
        const edge = list.edges.find((one) => one.node.__ref === node.__ref) ?? {
          __typename: 'InboxEdge',
          cursor: '',
          node,
        };
        return { ...list, edges: [...others.slice(0, place), edge, ...others.slice(place)] };
      },
    },
  });
}

export function setUnread(unreadCount: number): void {
  client.cache.modify({
    fields: {
      inbox: (stored) => (stored ? { ...(stored as unknown as object), unreadCount } : stored),
    },
  });
}

import { useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { client } from '../../../common/client.js';
import { useOnFound } from '../../../common/connection-status.js';
import { graphql } from '../../../common/graphql.js';
import type { ListState } from '../../../common/ui/pages.js';
import type { LoggedEventFragment, LoggedEventsQuery } from '../../../generated/graphql.js';

const newestDocument = graphql(/* GraphQL */ `
  query LoggedEvents($streamId: String, $correlationId: String, $before: String) {
    events(streamId: $streamId, correlationId: $correlationId, last: 50, before: $before) {
      edges {
        cursor
        node {
          ...LoggedEvent
        }
      }
      pageInfo {
        hasPreviousPage
        startCursor
      }
    }
  }
`);

type Page = NonNullable<LoggedEventsQuery['events']>;
type Edge = Page['edges'][number];

interface Loaded {
  /** Newest first. */
  readonly edges: readonly Edge[];
  readonly before: string | undefined;
}

export interface EventFilters {
  readonly streamId: string;
  readonly correlationId: string;
}

const POLL_MS = 2_000;
/** More are let go at the old end, and read again when they are scrolled to. */
const MOST = 5_000;

/** The end of the log as it grows, and what is older as far as it is scrolled to. A component that uses it is keyed by its filters. */
export function useLiveEvents({ streamId, correlationId }: EventFilters, isPaused: boolean) {
  const variables = { streamId: streamId || null, correlationId: correlationId || null };
  const [loaded, setLoaded] = useState<Loaded>();
  const isLoadingOlder = useRef(false);
  const [moreError, setMoreError] = useState<unknown>();
  const { data, error, refetch } = useQuery(newestDocument, {
    variables,
    // It is merged here: a cache would keep every page of a log that never ends.
    fetchPolicy: 'no-cache',
    pollInterval: isPaused ? 0 : POLL_MS,
    skipPollAttempt: () => document.visibilityState === 'hidden',
  });
  const page = data?.events;
  useEffect(() => {
    if (page) setLoaded((before) => withNewest(before, page));
  }, [page]);

  const before = loaded?.before;
  const loadMore = useCallback(() => {
    if (!before || isLoadingOlder.current) return;
    isLoadingOlder.current = true;
    setMoreError(undefined);
    client
      .query({
        query: newestDocument,
        variables: { streamId: streamId || null, correlationId: correlationId || null, before },
        fetchPolicy: 'no-cache',
      })
      .then(({ data: older }) => setLoaded((now) => withOlder(now, before, older?.events)))
      .catch(setMoreError)
      .finally(() => {
        isLoadingOlder.current = false;
      });
  }, [before, streamId, correlationId]);
  useOnFound(() => setMoreError(undefined));

  const list: ListState<LoggedEventFragment> = {
    rows: loaded?.edges.map(({ node }) => node) ?? [],
    isLoaded: loaded !== undefined,
    error,
    retry: () => void refetch(),
    hasMore: before !== undefined,
    loadMore,
    moreError,
  };
  return { list, document: newestDocument, variables };
}

const olderThan = ({ hasPreviousPage, startCursor }: Page['pageInfo']): string | undefined =>
  hasPreviousPage && startCursor ? startCursor : undefined;

/** Puts a page of the newest before what is there; where they do not meet, what is older is read again from the page on. */
export function withNewest(loaded: Loaded | undefined, page: Page): Loaded {
  const newest = [...page.edges].reverse();
  const known = new Set(loaded?.edges.map(({ node }) => node.id));
  const fresh = newest.filter(({ node }) => !known.has(node.id));
  if (!loaded || fresh.length === newest.length) return { edges: newest, before: olderThan(page.pageInfo) };
  if (fresh.length === 0) return loaded;
  const edges = [...fresh, ...loaded.edges];
  if (edges.length <= MOST) return { ...loaded, edges };
  const kept = edges.slice(0, MOST);
  return { edges: kept, before: kept.at(-1)!.cursor };
}

function withOlder(
  loaded: Loaded | undefined,
  before: string,
  page: Page | null | undefined,
): Loaded | undefined {
  // Meanwhile the list may have begun anew.
  if (!loaded || !page || loaded.before !== before) return loaded;
  return { edges: [...loaded.edges, ...[...page.edges].reverse()], before: olderThan(page.pageInfo) };
}

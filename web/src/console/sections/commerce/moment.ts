import { graphql } from '../../../common/graphql.js';
import { useFilters } from '../../../common/ui/filters.js';
import { usePages } from '../../../common/ui/pages.js';
import type { StreamEventsQuery } from '../../../generated/graphql.js';

const streamDocument = graphql(/* GraphQL */ `
  query StreamEvents($streamId: String!, $after: String) {
    events(streamId: $streamId, first: 100, after: $after) {
      edges {
        cursor
        node {
          ...LoggedEvent
          data
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export type StreamEvent = NonNullable<StreamEventsQuery['events']>['edges'][number]['node'];

/** A stream's events, and the moment in the URL at which its object is shown; without one it is shown as it is now. */
export function useMoment(streamId: string) {
  const [{ asOf }, set] = useFilters({ asOf: '' });
  const { list } = usePages(streamDocument, { streamId }, ({ events }) => events);
  const { rows: nodes, hasMore } = list;
  const index = asOf ? indexAt(nodes, asOf) : nodes.length - 1;
  return {
    list,
    asOf: asOf || null,
    /** Of the last event that is in what is shown; -1 where there is none. */
    index,
    /** Shows the object as it was after an event; the last one: as it is now. */
    show(next: number): void {
      const event = nodes[next];
      set({ asOf: !event || (next === nodes.length - 1 && !hasMore) ? null : momentAfter(event) });
    },
    showNow: () => set({ asOf: null }),
  };
}

export type Moment = ReturnType<typeof useMoment>;

/** The API keeps microseconds and answers milliseconds: the next one has the event for sure. */
const momentAfter = ({ createdAt }: { readonly createdAt: string }): string =>
  new Date(Date.parse(createdAt) + 1).toISOString();

export function indexAt(events: readonly { readonly createdAt: string }[], asOf: string): number {
  const time = Date.parse(asOf);
  return events.findLastIndex(({ createdAt }) => Date.parse(createdAt) <= time);
}

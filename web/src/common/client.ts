import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import type { FieldMergeFunction, FieldPolicy } from '@apollo/client/cache';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { HttpLink } from '@apollo/client/link/http';
import { getMainDefinition, relayStylePagination } from '@apollo/client/utilities';
import { OperationTypeNode } from 'graphql';
import { from, mergeMap } from 'rxjs';
import { afterActs } from './after-acts.js';
import { byId } from './by-id.js';
import { onFound } from './connection-status.js';
import { fragments } from './graphql.js';
import { inOrder } from './in-order.js';
import { loadCode } from './load-code.js';
import { onceMore } from './once-more.js';
import { watchedFetch } from './reachability.js';
import { authorization, expire, isSamePerson, onSession, session } from './session.js';

let live: Promise<typeof import('./live.js')> | undefined;

/** The socket's code is loaded with the first subscription. */
function loadLive(): Promise<typeof import('./live.js')> {
  live ??= loadCode(() => import('./live.js')).catch((error: unknown) => {
    live = undefined;
    throw error;
  });
  return live;
}

/** Lists that are read page by page; all other arguments tell lists apart. */
const PAGED = [
  'feed',
  'inbox',
  'deliveries',
  'searchDeliveries',
  'notificationRequests',
  'deadLetters',
  'suppressions',
  'webhooks',
  'campaigns',
  'events',
  'orders',
  'customers',
  'products',
  'accounts',
  'accountAudit',
  'templates',
  'searchUsers',
  'rateLimitRulesHistory',
  'notificationSchedules',
  'sponsoredPosts',
  'blockedUsers',
  'mutedUsers',
  'closeFriends',
  'apiKeys',
];

/** A variable that no document declares, and that is not sent: the cache keeps such a page apart from the others of its list. */
export const APART = 'isApart';

const names = (args: Readonly<Record<string, unknown>> | null): string[] =>
  Object.keys(args ?? {})
    .filter((name) => !['first', 'after', 'last', 'before'].includes(name))
    .sort();

const joined = relayStylePagination(names);

/** Pages are joined to one list, but for those that are asked for apart from it. */
const paged: FieldPolicy = {
  ...(joined as FieldPolicy),
  keyArgs: (args, { variables }) => (variables?.[APART] ? [...names(args), 'after'] : names(args)),
  merge(existing, incoming, options) {
    const merge = joined.merge as FieldMergeFunction;
    return options.variables?.[APART] ? incoming : merge(existing, incoming, options);
  },
};

export const client = new ApolloClient({
  link: ApolloLink.from([
    new ErrorLink(({ error, operation, forward }) => {
      const isRefused = ({ extensions }: { extensions?: Record<string, unknown> }) =>
        extensions?.code === 'UNAUTHENTICATED';
      if (!CombinedGraphQLErrors.is(error) || !error.errors.some(isRefused)) return;
      const now = authorization().authorization;
      if (operation.getContext().headers?.authorization === now) expire();
      // Meanwhile there is another token: who asks again by that would be given the same answer as long as this one is under way.
      else if (now && operation.operationType === OperationTypeNode.QUERY) return forward(operation);
    }),
    afterActs,
    onceMore,
    inOrder,
    new SetContextLink(({ headers }) => ({ headers: { ...headers, ...authorization() } })),
    byId,
    ApolloLink.split(
      ({ query }) => {
        const definition = getMainDefinition(query);
        return definition.kind === 'OperationDefinition' && definition.operation === 'subscription';
      },
      new ApolloLink((operation) =>
        from(loadLive()).pipe(mergeMap(({ liveLink }) => liveLink.request(operation))),
      ),
      new HttpLink({ uri: '/graphql', fetch: watchedFetch }),
    ),
  ]),
  cache: new InMemoryCache({
    fragments,
    typePolicies: {
      Query: { fields: Object.fromEntries(PAGED.map((name) => [name, paged])) },
      Post: { fields: { comments: paged, reactions: paged } },
      Comment: { fields: { replies: paged } },
      User: { fields: { posts: paged, followers: paged, following: paged } },
      Webhook: { fields: { deliveries: paged } },
      NotificationRequest: { fields: { deliveries: paged } },
    },
  }),
  defaultOptions: { watchQuery: { fetchPolicy: 'cache-and-network', nextFetchPolicy: 'cache-first' } },
});

// What could not be loaded meanwhile.
onFound(() => {
  for (const query of client.getObservableQueries('active'))
    if (query.getCurrentResult().error) query.refetch().catch(() => undefined);
});

// Another person sees nothing of what the one before was shown.
let before = session();
onSession(() => {
  const now = session();
  if (now?.token === before?.token) return;
  const isSame = isSamePerson(before, now);
  before = now;
  live?.then(({ socket }) => socket.terminate()).catch(() => undefined);
  const shown = isSame ? client.refetchObservableQueries() : now ? client.resetStore() : client.clearStore();
  // What could not be read says so where it would be shown.
  shown.catch(() => undefined);
});

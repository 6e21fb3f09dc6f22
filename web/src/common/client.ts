import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { HttpLink } from '@apollo/client/link/http';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { getMainDefinition, relayStylePagination } from '@apollo/client/utilities';
import { createClient } from 'graphql-ws';
import { byId } from './by-id.js';
import { connectionStatus } from './connection-status.js';
import { fragments } from './graphql.js';
import { inOrder } from './in-order.js';
import { resuming } from './resuming.js';
import { expire, onSession, session } from './session.js';

const socketUrl = new URL('/graphql', location.href);
socketUrl.protocol = socketUrl.protocol === 'https:' ? 'wss:' : 'ws:';

/** Opened by the first subscription, closed by the last, and opened again for as long as anybody waits for it. */
const socket = createClient({
  url: socketUrl.href,
  lazy: true,
  lazyCloseTimeout: 5_000,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  retryWait: (retries) => {
    const wait = Math.min(200 * 2 ** retries, 5_000) * (0.5 + Math.random() / 2);
    return new Promise((resolve) => setTimeout(resolve, wait));
  },
  keepAlive: 10_000,
  connectionParams: () => authorization(),
  on: {
    connected: () => connectionStatus.set('connected'),
    closed: (event) => {
      const { code, wasClean } = event as CloseEvent;
      if (code === 4401 || code === 4403) expire();
      connectionStatus.set(wasClean && code === 1000 ? 'idle' : 'lost');
    },
  },
});

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

const paged = relayStylePagination((args) =>
  args
    ? Object.keys(args)
        .filter((name) => !['first', 'after', 'last', 'before'].includes(name))
        .sort()
    : [],
);

export const client = new ApolloClient({
  link: ApolloLink.from([
    new ErrorLink(({ error }) => {
      const isRefused = ({ extensions }: { extensions?: Record<string, unknown> }) =>
        extensions?.code === 'UNAUTHENTICATED';
      if (CombinedGraphQLErrors.is(error) && error.errors.some(isRefused)) expire();
    }),
    inOrder,
    new SetContextLink(({ headers }) => ({ headers: { ...headers, ...authorization() } })),
    byId,
    ApolloLink.split(
      ({ query }) => {
        const definition = getMainDefinition(query);
        return definition.kind === 'OperationDefinition' && definition.operation === 'subscription';
      },
      new GraphQLWsLink(resuming(socket)),
      new HttpLink({ uri: '/graphql' }),
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

// Another person sees nothing of what the one before was shown.
let before = session();
onSession(() => {
  const now = session();
  if (now?.token === before?.token) return;
  // An API key does not say whose it is.
  const isSamePerson = now !== undefined && now.userId !== '' && now.userId === before?.userId;
  before = now;
  socket.terminate();
  const shown = isSamePerson
    ? client.refetchObservableQueries()
    : now
      ? client.resetStore()
      : client.clearStore();
  // What could not be read says so where it would be shown.
  shown.catch(() => undefined);
});

function authorization(): Record<string, string> {
  const token = session()?.token;
  return token ? { authorization: `Bearer ${token}` } : {};
}

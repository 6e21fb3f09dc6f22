import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import type { FieldMergeFunction, FieldPolicy } from '@apollo/client/cache';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { HttpLink } from '@apollo/client/link/http';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { getMainDefinition, relayStylePagination } from '@apollo/client/utilities';
import { createClient } from 'graphql-ws';
import { byId } from './by-id.js';
import { connectionStatus, onFound } from './connection-status.js';
import { fragments } from './graphql.js';
import { watchedFetch } from './reachability.js';
import { resuming } from './resuming.js';
import { expire, onSession, session } from './session.js';

const socketUrl = new URL('/graphql', location.href);
socketUrl.protocol = socketUrl.protocol === 'https:' ? 'wss:' : 'ws:';

const PING_EVERY_MS = 10_000;
/** A network that is gone closes nothing: what does not answer a ping is closed here. */
const PONG_WITHIN_MS = 5_000;
/** How graphql-ws says that it was told to end a socket. */
const TERMINATED = 4499;
let pong: ReturnType<typeof setTimeout> | undefined;
let isSilent = false;

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
  keepAlive: PING_EVERY_MS,
  connectionParams: () => authorization(),
  on: {
    connected: () => connectionStatus.setSocket('connected'),
    ping: (isReceived) => {
      if (!isReceived) pong = setTimeout(endSilent, PONG_WITHIN_MS);
    },
    pong: (isReceived) => {
      if (isReceived) clearTimeout(pong);
    },
    closed: (event) => {
      clearTimeout(pong);
      const { code, wasClean } = event as CloseEvent;
      if (code === 4401 || code === 4403) expire();
      // One that was ended for another token opens again at once.
      const isOwn = (wasClean && code === 1000) || (code === TERMINATED && !isSilent);
      connectionStatus.setSocket(isOwn ? 'idle' : 'lost');
    },
  },
});

function endSilent(): void {
  isSilent = true;
  socket.terminate();
  isSilent = false;
}

// The sockets of another network do not come back with this one.
window.addEventListener('online', () => connectionStatus.get() !== 'idle' && endSilent());

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
    new ErrorLink(({ error }) => {
      const isRefused = ({ extensions }: { extensions?: Record<string, unknown> }) =>
        extensions?.code === 'UNAUTHENTICATED';
      if (CombinedGraphQLErrors.is(error) && error.errors.some(isRefused)) expire();
    }),
    new SetContextLink(({ headers }) => ({ headers: { ...headers, ...authorization() } })),
    byId,
    ApolloLink.split(
      ({ query }) => {
        const definition = getMainDefinition(query);
        return definition.kind === 'OperationDefinition' && definition.operation === 'subscription';
      },
      new GraphQLWsLink(resuming(socket, () => connectionStatus.setSocket('idle'))),
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
let lastToken = session()?.token;
onSession(() => {
  const token = session()?.token;
  if (token === lastToken) return;
  const isSamePerson = lastToken !== undefined && token !== undefined && lastUser === session()?.userId;
  lastToken = token;
  lastUser = session()?.userId;
  socket.terminate();
  void (isSamePerson ? client.refetchObservableQueries() : client.resetStore());
});
let lastUser = session()?.userId;

function authorization(): Record<string, string> {
  const token = session()?.token;
  return token ? { authorization: `Bearer ${token}` } : {};
}

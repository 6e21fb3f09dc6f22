import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { HttpLink } from '@apollo/client/link/http';
import { getMainDefinition, relayStylePagination } from '@apollo/client/utilities';
import { from, mergeMap } from 'rxjs';
import { fragments } from './graphql.js';
import { authorization, expire, onSession, session } from './session.js';

/** The socket's code is loaded with the first subscription. */
const loadLive = () => import('./live.js');
let live: ReturnType<typeof loadLive> | undefined;

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
    new SetContextLink(({ headers }) => ({ headers: { ...headers, ...authorization() } })),
    ApolloLink.split(
      ({ query }) => {
        const definition = getMainDefinition(query);
        return definition.kind === 'OperationDefinition' && definition.operation === 'subscription';
      },
      new ApolloLink((operation) => {
        live ??= loadLive();
        return from(live).pipe(mergeMap(({ liveLink }) => liveLink.request(operation)));
      }),
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
let lastToken = session()?.token;
onSession(() => {
  const token = session()?.token;
  if (token === lastToken) return;
  const isSamePerson = lastToken !== undefined && token !== undefined && lastUser === session()?.userId;
  lastToken = token;
  lastUser = session()?.userId;
  void live?.then(({ socket }) => socket.terminate());
  void (isSamePerson ? client.refetchObservableQueries() : client.resetStore());
});
let lastUser = session()?.userId;

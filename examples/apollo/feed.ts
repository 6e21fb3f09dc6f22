import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { SetContextLink } from '@apollo/client/link/context';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { getMainDefinition, relayStylePagination } from '@apollo/client/utilities';
import { OperationTypeNode } from 'graphql';
import { type FeedApp, PAGE_SIZE, type Session } from '../feed-app.js';
import { isExpired, oneAtATime, openSocket, untilDone } from '../live.js';
import { idOf } from '../persisted.js';
import { graphql } from './generated/gql.js';
import type { ApolloFeedQuery } from './generated/graphql.js';

const Feed = graphql(`
  query ApolloFeed($first: Int!, $after: String, $isFirst: Boolean!) {
    feed(first: $first, after: $after, order: LATEST) {
      liveCursor @include(if: $isFirst)
      edges { cursor node { id content likeCount viewerHasLiked } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`);
const Like = graphql(`
  mutation ApolloLike($postId: ID!) {
    likePost(input: { postId: $postId }) {
      post { id likeCount viewerHasLiked }
      userErrors { codeEnum message }
    }
  }
`);
const Delete = graphql(`
  mutation ApolloDelete($postId: ID!) {
    deletePost(input: { postId: $postId }) { deletedId userErrors { codeEnum message } }
  }
`);
const NewPosts = graphql(`
  subscription ApolloNewPosts($after: String) {
    feedUpdated(after: $after) {
      cursor
      post { id content likeCount viewerHasLiked }
    }
  }
`);

type Post = NonNullable<ApolloFeedQuery['feed']>['edges'][number]['node'];

/** The codes of a rejection's top-level errors; none where the network failed. */
export const codesOf = (error: unknown): unknown[] =>
  CombinedGraphQLErrors.is(error) ? error.errors.map(({ extensions }) => extensions?.code) : [];

export async function openApolloFeed(session: Session): Promise<FeedApp> {
  const inTurn = oneAtATime();
  const socket = openSocket(session);
  const signIn = new SetContextLink(({ headers }) => ({
    headers: { ...headers, authorization: `Bearer ${session.token()}` },
  }));
  const byId = new PersistedQueryLink({ generateHash: idOf });
  const sending = ApolloLink.split(
    ({ query }) => {
      const definition = getMainDefinition(query);
      return 'operation' in definition && definition.operation === OperationTypeNode.SUBSCRIPTION;
    },
    new GraphQLWsLink(socket),
    new HttpLink({ uri: `${session.url}/graphql` }),
  );
  const client = new ApolloClient({
    link: ApolloLink.from([signIn, ...(session.byId ? [byId] : []), sending]),
    // All that the cache has to know of this API: pages of the feed belong together.
    cache: new InMemoryCache({
      typePolicies: { Query: { fields: { feed: relayStylePagination(['order']) } } },
    }),
  });

  const firstPage = { query: Feed, variables: { first: PAGE_SIZE, isFirst: true } };
  const closing = new AbortController();
  let following: { unsubscribe(): void } | undefined;
  async function readAndFollow(): Promise<void> {
    const { data: opened } = await client.query({ ...firstPage, fetchPolicy: 'network-only' });
    if (closing.signal.aborted) return;
    const after = opened?.feed?.liveCursor ?? null;
    following = client.subscribe({ query: NewPosts, variables: { after } }).subscribe(({ data, error }) => {
      if (isExpired(codesOf(error))) void untilDone(() => inTurn(readAndFollow), closing.signal);
      const post = data?.feedUpdated.post;
      if (post) addAtTop(post);
    });
  }
  function addAtTop(post: Post): void {
    client.cache.updateQuery(firstPage, (present) => {
      // An update may repeat a post that a page has brought already.
      if (!present?.feed || present.feed.edges.some(({ node }) => node.id === post.id)) return undefined;
      const edge = { __typename: 'FeedEdge' as const, cursor: '', node: post };
      return { ...present, feed: { ...present.feed, edges: [edge, ...present.feed.edges] } };
    });
  }
  await readAndFollow();
  const feed = client.watchQuery(firstPage);
  // A component would render what comes here; a terminal reads the same out of the cache when it wants to.
  const showing = feed.subscribe(() => undefined);
  const shown = () => client.readQuery({ ...firstPage, optimistic: true })?.feed;

  return {
    posts: () => shown()?.edges.map(({ node }) => node) ?? [],
    hasMore: () => shown()?.pageInfo.hasNextPage ?? false,
    async loadMore() {
      const next = () => ({ after: shown()?.pageInfo.endCursor ?? null, isFirst: false });
      await inTurn(() => feed.fetchMore({ variables: next() }));
    },
    async like({ id, likeCount, viewerHasLiked }) {
      const liked = { id, likeCount: viewerHasLiked ? likeCount : likeCount + 1, viewerHasLiked: true };
      const { data } = await client.mutate({
        mutation: Like,
        variables: { postId: id },
        optimisticResponse: {
          likePost: {
            __typename: 'LikePostPayload',
            post: { __typename: 'Post', ...liked },
            userErrors: [],
          },
        },
      });
      return data?.likePost.userErrors[0]?.message ?? null;
    },
    async remove({ id: postId }) {
      await client.mutate({
        mutation: Delete,
        variables: { postId },
        update(cache, { data }) {
          const id = data?.deletePost.deletedId;
          const key = id && cache.identify({ __typename: 'Post', id });
          if (key) cache.evict({ id: key });
        },
      });
    },
    async close() {
      closing.abort();
      following?.unsubscribe();
      showing.unsubscribe();
      client.stop();
      await socket.dispose();
    },
  };
}

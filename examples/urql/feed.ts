import {
  Client,
  CombinedError,
  type Exchange,
  fetchExchange,
  mapExchange,
  subscriptionExchange,
} from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { type FeedApp, PAGE_SIZE, type Session } from '../feed-app.js';
import { isExpired, oneAtATime, openSocket, untilDone } from '../live.js';
import { idOf, named } from '../persisted.js';
import { graphql } from './generated/gql.js';
import type { UrqlFeedQuery } from './generated/graphql.js';

const Feed = graphql(`
  query UrqlFeed($first: Int!, $after: String, $isFirst: Boolean!) {
    feed(first: $first, after: $after, order: LATEST) {
      liveCursor @include(if: $isFirst)
      edges { cursor node { id content likeCount viewerHasLiked } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
`);
const Like = graphql(`
  mutation UrqlLike($postId: ID!) {
    likePost(input: { postId: $postId }) {
      post { id likeCount viewerHasLiked }
      userErrors { codeEnum message }
    }
  }
`);
const Delete = graphql(`
  mutation UrqlDelete($postId: ID!) {
    deletePost(input: { postId: $postId }) { deletedId userErrors { codeEnum message } }
  }
`);
const NewPosts = graphql(`
  subscription UrqlNewPosts($after: String) {
    feedUpdated(after: $after) {
      cursor
      post { id content likeCount viewerHasLiked }
    }
  }
`);

const firstPage = { first: PAGE_SIZE, isFirst: true };
const withoutId = () => null;
type Edges = NonNullable<UrqlFeedQuery['feed']>['edges'];

/** Behind the cache: gives each operation the id of its document, so that its text is not sent. */
const byId: Exchange = mapExchange({
  onOperation: (operation) => ({
    ...operation,
    extensions: { ...operation.extensions, ...named(idOf(operation.query)) },
  }),
});

/** The codes of a rejection's top-level errors; none where the network failed. */
export const codesOf = (error: unknown): unknown[] =>
  error instanceof CombinedError ? error.graphQLErrors.map(({ extensions }) => extensions.code) : [];

export async function openUrqlFeed(session: Session): Promise<FeedApp> {
  const inTurn = oneAtATime();
  const socket = openSocket(session);
  const openClient = () =>
    new Client({
      url: `${session.url}/graphql`,
      preferGetMethod: false,
      fetchOptions: () => ({ headers: { authorization: `Bearer ${session.token()}` } }),
      exchanges: [
        cacheExchange({
          keys: { FeedConnection: withoutId, FeedEdge: withoutId, PageInfo: withoutId },
          resolvers: { Query: { feed: relayPagination() } },
          optimistic: {
            likePost(args, cache) {
              const { postId: id } = args.input as { postId: string };
              const post = { __typename: 'Post', id };
              const likeCount = cache.resolve(post, 'likeCount') as number;
              const counted = cache.resolve(post, 'viewerHasLiked') ? likeCount : likeCount + 1;
              return {
                __typename: 'LikePostPayload',
                post: { ...post, likeCount: counted, viewerHasLiked: true },
                userErrors: [],
              };
            },
          },
          updates: {
            Subscription: {
              feedUpdated({ feedUpdated }, _args, cache) {
                const { post } = feedUpdated as { post: Edges[number]['node'] | null };
                if (!post) return;
                cache.updateQuery({ query: Feed, variables: firstPage }, (data) => {
                  // An update may repeat a post that a page has brought already.
                  if (!data?.feed || data.feed.edges.some(({ node }) => node.id === post.id)) return data;
                  const edge = { __typename: 'FeedEdge' as const, cursor: '', node: post };
                  return { ...data, feed: { ...data.feed, edges: [edge, ...data.feed.edges] } };
                });
              },
            },
            Mutation: {
              deletePost({ deletePost }, _args, cache) {
                const { deletedId } = deletePost as { deletedId: string | null };
                const post = deletedId && cache.keyOfEntity({ __typename: 'Post', id: deletedId });
                for (const { fieldName, fieldKey } of cache.inspectFields('Query')) {
                  const page = fieldName === 'feed' ? (cache.resolve('Query', fieldKey) as string) : null;
                  if (!page || !post) continue;
                  const edges = cache.resolve(page, 'edges') as string[];
                  const others = edges.filter((edge) => cache.resolve(edge, 'node') !== post);
                  cache.link(page, 'edges', others);
                }
              },
            },
          },
        }),
        ...(session.byId ? [byId] : []),
        fetchExchange,
        subscriptionExchange({
          forwardSubscription: ({ query = '', variables, extensions }) => ({
            subscribe: (sink) => ({
              unsubscribe: socket.subscribe(
                { query, variables: { ...variables }, extensions },
                sink as never,
              ),
            }),
          }),
        }),
      ],
    });
  let client = openClient();

  let shown = null as UrqlFeedQuery['feed'];
  let showing: { unsubscribe(): void } | undefined;
  /** Shows everything up to the page after this cursor. */
  const show = (after: string | null): Promise<void> =>
    new Promise((resolve, reject) => {
      showing?.unsubscribe();
      showing = client
        .query(Feed, { first: PAGE_SIZE, after, isFirst: after === null })
        .subscribe(({ data, error, stale }) => {
          if (error) return reject(error);
          if (data?.feed && !stale) shown = data.feed;
          resolve();
        });
    });
  const closing = new AbortController();
  let following: { unsubscribe(): void } | undefined;
  async function readAndFollow(): Promise<void> {
    await show(null);
    if (closing.signal.aborted) return;
    const after = shown?.liveCursor ?? null;
    following = client.subscription(NewPosts, { after }).subscribe(({ error }) => {
      if (!isExpired(codesOf(error))) return;
      void untilDone(() => inTurn(readAnew), closing.signal);
    });
  }
  /** Pages that the former cache has would follow the new first page, with a gap between them. */
  function readAnew(): Promise<void> {
    client = openClient();
    return readAndFollow();
  }
  await readAndFollow();

  return {
    posts: () => shown?.edges.map(({ node }) => node) ?? [],
    hasMore: () => shown?.pageInfo.hasNextPage ?? false,
    loadMore: () => inTurn(() => show(shown?.pageInfo.endCursor ?? null)),
    async like({ id }) {
      const { data, error } = await client.mutation(Like, { postId: id });
      if (error) throw error;
      return data?.likePost.userErrors[0]?.message ?? null;
    },
    async remove({ id }) {
      await client.mutation(Delete, { postId: id });
    },
    async close() {
      closing.abort();
      following?.unsubscribe();
      showing?.unsubscribe();
      await socket.dispose();
    },
  };
}

import type { GraphQLFormattedError } from 'graphql';
import {
  ConnectionHandler,
  commitMutation,
  createOperationDescriptor,
  type Disposable,
  Environment,
  fetchQuery,
  type GraphQLResponse,
  getRequest,
  type MutationConfig,
  type MutationParameters,
  Network,
  Observable,
  RecordSource,
  type RequestParameters,
  ROOT_ID,
  requestSubscription,
  Store,
  type Variables,
} from 'relay-runtime';
import { type FeedApp, PAGE_SIZE, type Session } from '../feed-app.js';
import { isExpired, oneAtATime, openSocket, untilDone } from '../live.js';
import { named } from '../persisted.js';
import Delete, { type operationsDeleteMutation } from './__generated__/operationsDeleteMutation.graphql.js';
import Feed, { type operationsFeedQuery } from './__generated__/operationsFeedQuery.graphql.js';
import Like, { type operationsLikeMutation } from './__generated__/operationsLikeMutation.graphql.js';
import NewPosts, {
  type operationsNewPostsSubscription,
} from './__generated__/operationsNewPostsSubscription.graphql.js';

/** The codes of a rejection's top-level errors; none where the network failed. */
export const codesOf = (error: unknown): unknown[] => {
  const { source } = error as { readonly source?: { readonly errors?: readonly GraphQLFormattedError[] } };
  // A subscription ends with a list of them.
  const errors: readonly GraphQLFormattedError[] = Array.isArray(error) ? error : (source?.errors ?? []);
  return errors.map(({ extensions }) => extensions?.code);
};

export async function openRelayFeed(session: Session): Promise<FeedApp> {
  const { url, token, byId = false } = session;
  async function ask({ id, text }: RequestParameters, variables: Variables): Promise<GraphQLResponse> {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token()}` },
      body: JSON.stringify(byId ? { documentId: id, variables } : { query: text, variables }),
    });
    return (await answer.json()) as GraphQLResponse;
  }
  const inTurn = oneAtATime();
  const socket = openSocket(session);
  const environment = new Environment({
    network: Network.create(ask, ({ id, text }, variables) =>
      Observable.create((sink) =>
        socket.subscribe(
          byId ? { query: '', variables, extensions: named(id!) } : { query: text!, variables },
          {
            next: (result) => sink.next(result as GraphQLResponse),
            error: (error) => sink.error(error as Error),
            complete: () => sink.complete(),
          },
        ),
      ),
    ),
    store: new Store(new RecordSource()),
  });

  const readPage = (after: string | null) =>
    fetchQuery<operationsFeedQuery>(environment, Feed, {
      first: PAGE_SIZE,
      after,
      isFirst: after === null,
    }).toPromise();
  const closing = new AbortController();
  let following: Disposable | undefined;
  async function readAndFollow(): Promise<void> {
    const opened = await readPage(null);
    if (closing.signal.aborted) return;
    following = requestSubscription<operationsNewPostsSubscription>(environment, {
      subscription: NewPosts,
      variables: {
        after: opened?.feed?.liveCursor ?? null,
        connections: [ConnectionHandler.getConnectionID(ROOT_ID, 'operations_feed', { order: 'LATEST' })],
      },
      onError(error) {
        if (isExpired(codesOf(error))) void untilDone(() => inTurn(readAndFollow), closing.signal);
      },
    });
  }
  await readAndFollow();

  // The pages of a connection are one list in the store, under the operation that read the first.
  const first = createOperationDescriptor(getRequest(Feed), {
    first: PAGE_SIZE,
    after: null,
    isFirst: true,
  });
  const retained = environment.retain(first);
  const snapshot = environment.lookup(first.fragment);
  let shown = (snapshot.data as unknown as operationsFeedQuery['response']).feed;
  const showing = environment.subscribe(snapshot, ({ data }) => {
    shown = (data as unknown as operationsFeedQuery['response']).feed;
  });

  const change = <Mutation extends MutationParameters>(
    config: Omit<MutationConfig<Mutation>, 'onCompleted' | 'onError'>,
  ): Promise<Mutation['response']> =>
    new Promise((resolve, reject) => {
      commitMutation<Mutation>(environment, { ...config, onCompleted: resolve, onError: reject });
    });

  return {
    // A record that was deleted leaves its edge without a node.
    posts: () => shown?.edges.flatMap(({ node }) => node ?? []) ?? [],
    hasMore: () => shown?.pageInfo.hasNextPage ?? false,
    async loadMore() {
      await inTurn(() => readPage(shown?.pageInfo.endCursor ?? null));
    },
    async like({ id, likeCount, viewerHasLiked }) {
      const liked = { id, likeCount: viewerHasLiked ? likeCount : likeCount + 1, viewerHasLiked: true };
      const { likePost } = await change<operationsLikeMutation>({
        mutation: Like,
        variables: { postId: id },
        optimisticResponse: { likePost: { post: liked, userErrors: [] } },
      });
      return likePost.userErrors[0]?.message ?? null;
    },
    async remove({ id }) {
      await change<operationsDeleteMutation>({ mutation: Delete, variables: { postId: id } });
    },
    async close() {
      closing.abort();
      following?.dispose();
      showing.dispose();
      retained.dispose();
      await socket.dispose();
    },
  };
}

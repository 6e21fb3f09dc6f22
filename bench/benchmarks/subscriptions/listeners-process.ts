import { WebSocket } from 'ws';
import { answerParent } from '../../harness/answer-parent.ts';
import { loadProduct } from '../../harness/product.ts';
import { productEnvironment } from '../../harness/product-app.ts';

/** What the process of those who listen does for the benchmark. */
export type ListenerMethods = typeof methods;

const openedAtOnce = 50;
const query = 'subscription { feedUpdated { cursor postId authorId createdAt } }';

interface Told {
  /** Milliseconds since the epoch, of the first and the last message. */
  readonly first: number;
  readonly last: number;
  /** Of what posts. */
  readonly postIds: readonly string[];
}

let hear: ((postId: string) => void) | undefined;
let fail: ((error: Error) => void) | undefined;

const methods = {
  /**
   * Opens a socket for each user and subscribes; resolves when the server listens for all of them.
   *
   * @param from which address of this machine: each has 28,000 ports
   */
  async open(url: string, userIds: readonly string[], from: string): Promise<void> {
    const { signToken } =
      await loadProduct<typeof import('../../../src/platform/auth/auth.js')>('platform/auth/auth.js');
    const secret = productEnvironment('', '').AUTH_SECRET!;
    for (let i = 0; i < userIds.length; i += openedAtOnce) {
      await Promise.all(
        userIds.slice(i, i + openedAtOnce).map(async (userId) => {
          const token = await signToken(secret, {
            userId,
            roles: ['user'],
            plan: 'free',
            expiresInSeconds: 3_600,
          });
          await subscribe(url, token, from);
        }),
      );
    }
  },

  /** Resolves when so many messages were heard; rejects where a subscription fails. */
  untilTold(count: number): Promise<Told> {
    const { promise, resolve, reject } = Promise.withResolvers<Told>();
    fail = reject;
    const postIds = new Set<string>();
    let heard = 0;
    let first = 0;
    hear = (postId) => {
      heard += 1;
      if (heard === 1) first = Date.now();
      postIds.add(postId);
      if (heard === count) resolve({ first, last: Date.now(), postIds: [...postIds] });
    };
    return promise;
  },
};

function subscribe(url: string, token: string, localAddress: string): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    localAddress,
    perMessageDeflate: false,
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.on('error', reject);
  socket.on('close', (code) => reject(new Error(`a socket was closed: ${code}`)));
  socket.on('open', () =>
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })),
  );
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    if (message.type === 'connection_ack') {
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
      // Whoever pings after a subscription is answered when that was taken.
      socket.send(JSON.stringify({ type: 'ping' }));
    } else if (message.type === 'pong') resolve();
    else if (message.type === 'ping') socket.send(JSON.stringify({ type: 'pong' }));
    else if (message.type === 'next') {
      const { data, errors } = message.payload;
      if (errors === undefined) hear?.(data.feedUpdated.postId);
      else fail?.(new Error(JSON.stringify(errors)));
    } else if (message.type === 'error') reject(new Error(JSON.stringify(message.payload)));
  });
  return promise;
}

answerParent(methods);

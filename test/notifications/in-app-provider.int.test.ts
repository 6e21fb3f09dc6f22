import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createInAppProvider } from '../../src/domains/notifications/inbox/in-app-provider.js';
import { systemClock } from '../../src/platform/clock.js';
import { aMessage, bodiesOf, fill, firstPage, type InboxWorld, openInboxWorld } from './inbox-world.js';
import { unique } from './notification-world.js';
import { silent } from './with-sandbox.js';

let world: InboxWorld;
beforeAll(async () => {
  world = await openInboxWorld();
});
afterAll(() => world.close());

const send = (message: ReturnType<typeof aMessage>) =>
  world.provider.send(message, AbortSignal.timeout(5_000));
const changesOf = async (userId: string) =>
  (
    await world.postgres.query<{ change: number }>(
      'SELECT change FROM inbox_items WHERE user_id = $1 ORDER BY change',
      [userId],
    )
  ).rows.map(({ change }) => change);

describe('the in-app channel', () => {
  it('brings a notification into its user’s inbox, under the delivery’s id', async () => {
    const userId = unique('user');
    const content = {
      title: 'Hi',
      body: 'Tom &amp; Jerry',
      imageUrl: 'https://example.com/a.png',
      actionUrl: 'app://orders/7',
    };
    const message = aMessage(userId, '', { content, notificationType: 'ORDER_SHIPPED' });
    expect(await send(message)).toEqual({ kind: 'accepted' });
    const page = await world.inbox.page(userId, firstPage, 'ALL');
    expect(page.edges.map(({ node }) => node)).toEqual([
      expect.objectContaining({
        ...content,
        itemId: message.deliveryId,
        notificationType: 'ORDER_SHIPPED',
        readAt: null,
        archivedAt: null,
        createdAt: expect.any(Date),
      }),
    ]);
    expect(page.unreadCount).toBe(1);
  });

  it('shows no link that is no URL', async () => {
    const userId = unique('user');
    await send(aMessage(userId, '', { content: { body: 'x', actionUrl: '/orders/7', imageUrl: 'a.png' } }));
    const page = await world.inbox.page(userId, firstPage, 'ALL');
    expect(page.edges[0]!.node).toMatchObject({ actionUrl: null, imageUrl: null });
  });

  it('changes nothing by a repeat, also of what was read meanwhile', async () => {
    const userId = unique('user');
    const message = aMessage(userId, 'first');
    await send(message);
    await world.inbox.mark(userId, 'READ', null);
    expect(await send({ ...message, content: { body: 'second' } })).toEqual({ kind: 'accepted' });
    const page = await world.inbox.page(userId, firstPage, 'ALL');
    expect(page.edges.map(({ node }) => [node.body, node.readAt])).toEqual([['first', expect.any(Date)]]);
    expect(await changesOf(userId)).toEqual([2]);
  });

  it('numbers what comes at once one by one, in its order, and twice the same once', async () => {
    const [ann, bob] = [unique('ann'), unique('bob')];
    const messages = Array.from({ length: 60 }, (_, i) => aMessage(i % 3 === 0 ? bob : ann, String(i)));
    const repeated = messages.flatMap((message) => [message, message]);
    await Promise.all(repeated.map(send));
    expect(await changesOf(ann)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    expect(await changesOf(bob)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    const inOrder = await world.postgres.query<{ body: string }>(
      'SELECT body FROM inbox_items WHERE user_id = $1 ORDER BY change',
      [bob],
    );
    expect(inOrder.rows.map(({ body }) => Number(body))).toEqual(Array.from({ length: 20 }, (_, i) => i * 3));
  });

  it('writes what comes in one turn in one statement', async () => {
    const query = vi.spyOn(world.postgres, 'query');
    await Promise.all(Array.from({ length: 150 }, () => send(aMessage(unique('user')))));
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
  });

  it('keeps its numbers apart however many processes write and mark at once', async () => {
    const users = [unique('a'), unique('b'), unique('c')];
    const deps = {
      ...world,
      wakeUps: { publish: async () => undefined },
      clock: systemClock,
      logger: silent,
    };
    const providers = Array.from({ length: 4 }, () => createInAppProvider(deps));
    await Promise.all(
      providers.flatMap((provider, p) =>
        Array.from({ length: 25 }, async (_, i) => {
          const userId = users[(p + i) % 3]!;
          await provider.send(aMessage(userId), AbortSignal.timeout(10_000));
          if (i % 5 === 0) await world.inbox.mark(userId, i % 2 ? 'READ' : 'ARCHIVE', null);
        }),
      ),
    );
    for (const userId of users) {
      const changes = await changesOf(userId);
      expect(new Set(changes).size).toBe(changes.length);
      const { rows } = await world.postgres.query<{ last: number }>(
        'SELECT last_change AS last FROM inboxes WHERE user_id = $1',
        [userId],
      );
      expect(rows[0]!.last).toBe(changes.at(-1));
    }
  });

  it('can be tried again where the database is away or too slow, and where nobody can be woken it is not', async () => {
    const wakeUps = { publish: () => Promise.reject(new Error('Redis is away')) };
    const over = (query: typeof world.postgres.query) =>
      createInAppProvider({ postgres: { query }, wakeUps, clock: systemClock, logger: silent });
    const away = over(() => Promise.reject(new Error('away')));
    expect(await away.send(aMessage('ann'), AbortSignal.timeout(5_000))).toMatchObject({
      kind: 'failed',
      code: 'PROVIDER_DOWN',
      retryable: true,
      outcomeUnknown: false,
    });
    const slow = over(() => new Promise<never>(() => undefined));
    const deadline = new AbortController();
    const late = slow.send(aMessage('ann'), deadline.signal);
    deadline.abort();
    expect(await late).toMatchObject({ kind: 'failed', code: 'PROVIDER_TIMEOUT', retryable: true });
    const unheard = over(world.postgres.query);
    const userId = unique('user');
    expect(await unheard.send(aMessage(userId), AbortSignal.timeout(5_000))).toEqual({ kind: 'accepted' });
    expect(await bodiesOf(world, userId)).toEqual(['Hello']);
  });

  it('is not held up by one inbox that is locked', async () => {
    const [held, free] = [unique('held'), unique('free')];
    await fill(world, held, 'x');
    await world.postgres.transaction(async (tx) => {
      await tx.query('SELECT FROM inboxes WHERE user_id = $1 FOR UPDATE', [held]);
      const waiting = send(aMessage(held));
      await new Promise(setImmediate);
      expect(await send(aMessage(free))).toEqual({ kind: 'accepted' });
      void waiting;
    });
  });
});

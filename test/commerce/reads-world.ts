import { createCommerceReadModels } from '../../src/projectors/commerce/index.js';
import { LoopbackHub } from './loopback-hub.js';
import { record, writeStory } from './stories.js';
import { type CommerceOnTest, callerNamed, openCommerce, startProjector } from './with-commerce.js';

export const [alice, bob, root] = [
  callerNamed('alice'),
  callerNamed('bob'),
  callerNamed('root', 'admin'),
] as const;

export interface ReadsWorld {
  readonly on: CommerceOnTest;
  readonly hub: LoopbackHub;
  readonly waitFor: (
    afterVersion: number,
    signal?: AbortSignal,
    now?: () => number,
  ) => { afterVersion: number; hub: LoopbackHub; clock: { now: () => number }; signal: AbortSignal };
  close(): Promise<void>;
}

/**
 * Read models of a few things. Alice's customers are c1 and c2, Bob's is c3. Orders o3 to o5 were placed in the same moment.
 */
export async function openReadsWorld(): Promise<ReadsWorld> {
  const hub = new LoopbackHub();
  const waitFor: ReadsWorld['waitFor'] = (
    afterVersion,
    signal = new AbortController().signal,
    now = () => Date.now(),
  ) => ({ afterVersion, hub, clock: { now }, signal });
  const on = await openCommerce();
  const story = writeStory();
  for (const productId of ['p1', 'p2', 'p3']) story.product(productId, 100);
  for (const customerId of ['c1', 'c2']) story.customer(customerId, { userId: 'alice' });
  story.customer('c3', { userId: 'bob' });
  const place = (orderId: string, customerId: string) =>
    story.place(orderId, customerId, [], { ownerId: customerId === 'c3' ? 'bob' : 'alice' });
  story.ship(place('o1', 'c1'), 'TRACK');
  story.cancel(place('o2', 'c2'), 'changed my mind');
  story.transfer('TransferStarted', 't1');
  story.transfer('TransferRefused', 't1', { reason: 'INSUFFICIENT_FUNDS' });
  await record(on.log, story.events);
  const before = story.events.length;
  for (const [orderId, customerId] of [
    ['o4', 'c1'],
    ['o5', 'c3'],
    ['o3', 'c1'],
  ] as const)
    place(orderId, customerId);
  const appends = story.events
    .slice(before)
    .map(({ streamId, type, data }) => ({ streamId, expected: 'any' as const, events: [{ type, data }] }));
  await on.log.append({ appends, metadata: story.events[0]!.metadata });
  const runners = createCommerceReadModels({ wakeUps: hub }).map((projector) =>
    startProjector(on, projector),
  );
  await Promise.all([
    on.commerce.order(root, 'o3', waitFor(0)),
    on.commerce.customer(root, 'c3', waitFor(0)),
    on.commerce.product(root, 'p3', waitFor(0)),
    on.commerce.transfer(root, 't1', waitFor(1)),
  ]);
  return {
    on,
    hub,
    waitFor,
    async close() {
      await Promise.all(runners.map((runner) => runner.stop()));
      await on.close();
    },
  };
}

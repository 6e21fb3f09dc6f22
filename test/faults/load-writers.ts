import { documents } from './documents.js';
import type { LoopTools } from './fleet-load.js';
import { contentOf, type PostRecord } from './ledger.js';
import { expectHidden, readFeed, readPost } from './load-reads.js';
import * as world from './world.js';

/** Makes one loop of the load: what it returns is called again and again. */
type Writer = (tools: LoopTools) => () => Promise<void>;

const CHANNELS = ['PUSH', 'EMAIL', 'SMS', 'PUSH', 'EMAIL'] as const;
/** Of what it publishes or pays in, one in so many is asked for once, without an id to repeat it under. */
const ONCE_IN = 8;

const publish = async (tools: LoopTools, author: string): Promise<PostRecord | undefined> => {
  const { ledger, people } = tools;
  const key = tools.id();
  const input = { content: contentOf(key, 0) };
  let postId: string | undefined;
  if (tools.below(ONCE_IN) === 0) {
    const answer = await tools.once(people[author]!, documents.publish, { input });
    if (answer.kind !== 'data') {
      ledger.doubtfulPosts.add(key);
      return undefined;
    }
    postId = answer.data.publishPost.post?.postId;
  } else {
    const answer = await tools.answered(people[author]!, documents.publish, {
      input: { ...input, idempotencyKey: key },
    });
    postId = answer.publishPost.post?.postId;
  }
  if (!postId) {
    ledger.violations.push(`publishing ${key} answered no post`);
    return undefined;
  }
  const post = { postId, author, edit: 0, editing: 0, deleted: false };
  ledger.posts.set(key, post);
  return post;
};

/** Posts that subscribers hear of. */
const keep =
  (author: string): Writer =>
  (tools) =>
  async () => {
    await publish(tools, author);
  };

/** Posts that are edited and deleted; after each, another api must show it so. */
const change =
  (author: string): Writer =>
  (tools) => {
    const own: { key: string; post: PostRecord }[] = [];
    const caller = () => tools.people[author]!;
    return async () => {
      const what = tools.below(3);
      const one = own.length > 0 ? own[tools.below(own.length)] : undefined;
      if (what === 0 || !one) {
        const post = await publish(tools, author);
        if (post) own.push({ key: keyOf(tools, post), post });
      } else if (what === 1) {
        const { key, post } = one;
        post.editing = post.edit + 1;
        const input = { postId: post.postId, content: contentOf(key, post.editing) };
        await tools.answered(caller(), documents.edit, { input });
        post.edit = post.editing;
        await readPost(tools, post);
      } else {
        const { post } = one;
        own.splice(own.indexOf(one), 1);
        await tools.answered(caller(), documents.remove, { input: { postId: post.postId } }, ['NOT_FOUND']);
        post.deleted = true;
        await readPost(tools, post);
      }
    };
  };

const keyOf = ({ ledger }: LoopTools, post: PostRecord): string =>
  [...ledger.posts].find(([, one]) => one === post)![0];

/** Blocks an author and looks by every api, as often as there is time, whether anything of theirs is shown. */
const block =
  (blocker: string, author: string): Writer =>
  (tools) =>
  async () => {
    const caller = tools.people[blocker]!;
    const input = { userId: author };
    await tools.answered(caller, documents.block, { input });
    for (let reads = 0; reads < 3; reads += 1) await expectHidden(tools, blocker, author);
    await tools.answered(caller, documents.unblock, { input });
  };

const read =
  (reader: string): Writer =>
  (tools) =>
  async () => {
    const known = [...tools.ledger.posts.values()];
    const recent = known.slice(-40);
    if (tools.below(2) === 0) await readFeed(tools, reader);
    else if (recent.length > 0) await readPost(tools, recent[tools.below(recent.length)]!, reader);
  };

const like: Writer = (tools) => async () => {
  const { ledger, people } = tools;
  const kept = [...ledger.posts.values()].filter(({ author }) => author.startsWith('kept')).slice(0, 10);
  const post = kept[tools.below(Math.max(1, kept.length))];
  if (!post) return;
  const who = world.readers[tools.below(world.readers.length)]!;
  const likes = ledger.likes.get(post.postId) ?? new Set();
  ledger.likes.set(post.postId, likes);
  const input = { postId: post.postId };
  if (likes.has(who)) {
    await tools.answered(people[who]!, documents.unlike, { input });
    likes.delete(who);
  } else {
    await tools.answered(people[who]!, documents.like, { input });
    likes.add(who);
  }
};

const bank: Writer = (tools) => async () => {
  const { ledger, people } = tools;
  const shop = people.shop!;
  const id = tools.id();
  if (tools.below(3) === 0) {
    const cents = 1 + tools.below(50);
    const answer = await tools.answered(shop, documents.transfer, {
      input: {
        fromAccountId: world.LIVE_ACCOUNT,
        toAccountId: world.OTHER_ACCOUNT,
        amount: (cents / 100).toFixed(2),
        commandId: id,
      },
    });
    const { aggregateId } = answer.transferMoney;
    if (aggregateId) ledger.transfers.set(aggregateId, cents);
    return;
  }
  const cents = 100 + tools.below(500);
  const input = { accountId: world.LIVE_ACCOUNT, amount: (cents / 100).toFixed(2), description: id };
  if (tools.below(ONCE_IN) === 0) {
    const answer = await tools.once(shop, documents.deposit, { input });
    if (answer.kind === 'data') ledger.deposits.set(id, cents);
    else ledger.doubtfulDeposits.set(id, cents);
  } else {
    await tools.answered(shop, documents.deposit, { input: { ...input, commandId: id } });
    ledger.deposits.set(id, cents);
  }
};

const sell: Writer = (tools) => {
  const open: string[] = [];
  return async () => {
    const { ledger, people } = tools;
    const shop = people.shop!;
    const orderId = open[tools.below(open.length * 2 + 1)];
    if (!orderId) {
      const id = `order-${tools.id()}`;
      await tools.answered(shop, documents.place, {
        input: {
          orderId: id,
          commandId: id,
          customerId: 'cust-0',
          items: [{ productId: world.PRODUCT, quantity: 1, price: world.PRICE }],
          shippingAddress: { city: 'Bremen', zip: '28195' },
        },
      });
      ledger.orders.set(id, 'CONFIRMED');
      open.push(id);
      return;
    }
    open.splice(open.indexOf(orderId), 1);
    const commandId = tools.id();
    if (tools.below(2) === 0) {
      await tools.answered(shop, documents.ship, { input: { orderId, commandId, trackingNumber: 'T1' } });
      ledger.orders.set(orderId, 'SHIPPED');
    } else {
      await tools.answered(shop, documents.cancel, {
        input: { orderId, commandId, reason: 'changed my mind' },
      });
      ledger.orders.set(orderId, 'CANCELLED');
    }
  };
};

const send = (channel: 'any' | 'IN_APP'): Writer => {
  let turn = 0;
  return (tools) => async () => {
    // More than 20 changes of an inbox at once are one update without an item: it gets fewer.
    turn += 1;
    if (channel === 'IN_APP' && turn % 8 !== 0) return;
    const { ledger, people } = tools;
    const notificationId = `n-${tools.id()}`;
    const over = channel === 'IN_APP' ? channel : CHANNELS[tools.below(CHANNELS.length)]!;
    const userId = world.readers[channel === 'IN_APP' ? 0 : tools.below(2)]!;
    await tools.answered(people.shop!, documents.send, {
      input: {
        notificationId,
        type: world.TYPE,
        priority: 'MEDIUM',
        templateId: 'faults',
        recipients: [{ userId, channels: [over], variables: { n: notificationId } }],
      },
    });
    ledger.notifications.set(notificationId, over);
  };
};

/** All loops of the load. */
export const writers: readonly Writer[] = [
  ...world.keptAuthors.map(keep),
  ...world.changingAuthors.map(change),
  ...world.blockers.map((blocker, index) => block(blocker, world.keptAuthors[index]!)),
  ...world.readers.map(read),
  like,
  bank,
  bank,
  sell,
  send('any'),
  send('IN_APP'),
];

import type { DemoAttributes, DemoAttributeType } from './attributes.js';
import type { DemoDevice, DemoSettings } from './contacts.js';
import type { Cell } from './copy-in.js';
import type { FollowGraph } from './follows.js';
import type { DemoEvent } from './history.js';
import type { Ledger } from './ledger.js';
import type { Person } from './people.js';
import type { DemoPost } from './posts.js';
import type { DemoSuppression } from './suppressions.js';
import type { DemoTemplate } from './templates.js';
import type { DemoWebhook, DemoWebhookDelivery } from './webhooks.js';

/** Rows in the column order of the COPY statements. */
type Rows = Iterable<readonly Cell[]>;

export interface LogEnd {
  readonly position: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export function* users(people: readonly Person[], graph: FollowGraph, followers: Int32Array): Rows {
  for (const [place, person] of people.entries()) {
    const { userId, displayName, avatarUrl, isCelebrity, lastSeenAt, createdAt } = person;
    const counts = [followers[place]!, graph[place]!.followees.length];
    const times = [new Date(lastSeenAt), new Date(createdAt)];
    yield [place, userId, displayName, avatarUrl, isCelebrity, ...counts, ...times];
  }
}

/** @param ids surrogate ids by place */
export function* follows(graph: FollowGraph, ids: readonly number[]): Rows {
  for (const [place, { followees, since }] of graph.entries()) {
    for (const [index, followee] of followees.entries()) {
      yield [ids[place]!, ids[followee]!, new Date(since[index]!)];
    }
  }
}

/** @param positions the log position of each post's stream */
export function* posts(
  all: readonly DemoPost[],
  people: readonly Person[],
  ids: readonly number[],
  positions: ReadonlyMap<string, number>,
): Rows {
  for (const post of all) {
    const { postId, author, content, visibility } = post;
    const distribution = people[author]!.isCelebrity ? 'pull' : 'push';
    const position = positions.get(`Post-${postId}`)!;
    const counts = [post.likes, post.comments, post.shares];
    const createdAt = new Date(post.createdAt);
    yield [postId, ids[author]!, content, visibility, distribution, position, position, ...counts, createdAt];
  }
}

/** Time in the log never goes back, so no event is dated before the last one that is there. */
export function* events(all: readonly DemoEvent[], end: LogEnd): Rows {
  for (const [index, { streamId, streamPosition, type, data, metadata, at }] of all.entries()) {
    const createdAt = new Date(Math.max(at, end.at));
    yield [end.position + 1 + index, streamId, streamPosition, type, data, { ...metadata }, createdAt];
  }
}

export function* stock({ stock: all }: Ledger): Rows {
  for (const [productId, { name, unitPrice, onHand, reserved }] of all) {
    yield [productId, name, String(unitPrice), onHand, reserved];
  }
}

export function* credit({ credit: all }: Ledger): Rows {
  for (const [customerId, { userId, isActive, creditLimit, outstanding }] of all) {
    yield [customerId, userId, isActive, String(creditLimit), String(outstanding)];
  }
}

export function* attributeTypes(all: readonly DemoAttributeType[]): Rows {
  for (const { name, type } of all) yield [name, type, 'demo'];
}

export function* attributes(all: readonly DemoAttributes[]): Rows {
  for (const { userId, attributes } of all) yield [userId, attributes];
}

export function* settings(all: readonly DemoSettings[]): Rows {
  for (const { userId, email, phone, timezone, language, quietHours, ...rest } of all) {
    const quiet = [quietHours?.start ?? null, quietHours?.end ?? null];
    yield [userId, email, phone, timezone, language, ...quiet, rest.marketingOptIn, rest.digestFrequency];
  }
}

export function* suppressions(all: readonly DemoSuppression[]): Rows {
  for (const { channel, address, cause, createdAt } of all) yield [channel, address, cause, createdAt];
}

export function* devices(all: readonly DemoDevice[]): Rows {
  for (const { userId, deviceId, platform, deviceToken, appVersion, lastSeenAt } of all) {
    yield [userId, deviceId, platform, deviceToken, appVersion, lastSeenAt];
  }
}

export function* templates(all: readonly DemoTemplate[]): Rows {
  for (const template of all) {
    const { templateId, type, channel, language, subject, title, body, htmlBody, variables, syntax } =
      template;
    const urls = [template.imageUrl, template.actionUrl];
    const texts = [subject, title, body, htmlBody, ...urls];
    yield [templateId, type, channel, language, ...texts, variables, 'demo', syntax];
  }
}

export function* webhooks(all: readonly DemoWebhook[]): Rows {
  for (const {
    webhookId,
    ownerId,
    url,
    eventTypes,
    notificationTypes,
    secret,
    disabledReason,
    createdAt,
  } of all) {
    const followsLog = eventTypes.includes('OrderPlaced');
    const kinds = [eventTypes, notificationTypes, !followsLog, followsLog];
    yield [webhookId, ownerId, url, ...kinds, secret, disabledReason, false, createdAt, createdAt];
  }
}

export function* webhookDeliveries(all: readonly DemoWebhookDelivery[]): Rows {
  for (const {
    deliveryId,
    webhookId,
    subject,
    number,
    eventType,
    data,
    happenedAt,
    status,
    ...last
  } of all) {
    const answer = [last.attempts, last.lastStatusCode, last.lastAnswer, last.lastError];
    const times = [last.createdAt, last.deliveredAt];
    yield [deliveryId, webhookId, subject, number, eventType, data, happenedAt, status, ...answer, ...times];
  }
}

export function* webhookBacklogs(all: readonly DemoWebhookDelivery[]): Rows {
  for (const { webhookId, subject, status, attempts, createdAt } of all)
    if (status !== 'DELIVERED') yield [webhookId, subject, createdAt, attempts, createdAt];
}

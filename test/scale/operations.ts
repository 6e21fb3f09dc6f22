/** Rows of the loaded database that operations are asked about. */
export interface Ground {
  readonly users: number;
  /** Everybody reacted to it, commented on it. */
  readonly hotPost: string;
  readonly steadyPost: string;
  /** Of the hot author, newest first, without the hot one. */
  readonly hotPosts: readonly string[];
  readonly steadyPosts: readonly string[];
  readonly otherPosts: readonly string[];
  readonly hotDeliveries: readonly string[];
  readonly steadyDeliveries: readonly string[];
  readonly deadLetters: readonly string[];
  readonly hotComments: readonly string[];
  /** Webhooks of hot's and of steady's, and deliveries of the former; switched off, of others. */
  readonly hotWebhook: string;
  readonly steadyWebhook: string;
  readonly webhookDeliveries: readonly string[];
  readonly otherWebhooks: readonly string[];
}

/** One way to ask for one field. */
export interface Operation {
  /** Of Query or Mutation. */
  readonly field: string;
  /** What it is asked about: shown behind the field's name. */
  readonly about: string;
  /** Who asks; roles by name. */
  readonly as: 'hot' | 'steady' | 'hider' | 'admin' | 'somebody else each time';
  /** The document for the `time`-th run: a mutation takes another object each time. */
  document(ground: Ground, time: number): string;
}

type Document = string | ((ground: Ground, time: number) => string);

const op = (field: string, about: string, as: Operation['as'], document: Document): Operation => ({
  field,
  about,
  as,
  document: typeof document === 'string' ? () => document : document,
});

const nodes = '{ nodes { __typename } pageInfo { hasNextPage } }';
const sinceWeeks = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const quote = JSON.stringify;
const mutation =
  (field: string, input: (ground: Ground, time: number) => string): Exclude<Document, string> =>
  (ground, time) =>
    `mutation { ${field}(input: { ${input(ground, time)} }) { userErrors { code message } } }`;
const change = (
  field: string,
  about: string,
  as: Operation['as'],
  input: (ground: Ground, time: number) => string,
): Operation => op(field, about, as, mutation(field, input));

/** A list at its start and at its end. */
const both = (field: string, about: string, as: Operation['as'], more = ''): Operation[] => [
  op(field, `${about}, first 20`, as, `{ ${field}(first: 20${more}) ${nodes} }`),
  op(field, `${about}, last 20`, as, `{ ${field}(last: 20${more}) ${nodes} }`),
];
const bothOfHotAndSteady = (field: string): Operation[] => [
  ...both(field, 'hot', 'hot'),
  ...both(field, 'steady', 'steady'),
];

export const queries: readonly Operation[] = [
  op('me', 'hot', 'hot', '{ me { displayName followerCount followingCount } }'),
  op(
    'user',
    'hot, followers',
    'steady',
    '{ user(userId: "hot") { followers(first: 20) { nodes { userId } } } }',
  ),
  op(
    'user',
    'hot, last followers',
    'steady',
    '{ user(userId: "hot") { followers(last: 20) { nodes { userId } } } }',
  ),
  op('user', 'hot, posts', 'steady', '{ user(userId: "hot") { posts(first: 20) { nodes { content } } } }'),
  op('user', 'steady, posts', 'hot', '{ user(userId: "steady") { posts(first: 20) { nodes { content } } } }'),
  op('searchUsers', 'one letter', 'steady', `{ searchUsers(first: 20, query: "u") ${nodes} }`),
  op('searchUsers', 'everybody’s name', 'steady', `{ searchUsers(first: 20, query: "person") ${nodes} }`),
  op('searchUsers', 'everybody, last 20', 'steady', `{ searchUsers(last: 20, query: "person") ${nodes} }`),
  op('searchUsers', 'a rare name', 'hot', `{ searchUsers(first: 20, query: "zacharias") ${nodes} }`),
  op('searchUsers', 'nobody', 'hot', `{ searchUsers(first: 20, query: "nobodyatall") ${nodes} }`),
  op('feed', 'latest, cold', 'somebody else each time', `{ feed(first: 20, order: LATEST) ${nodes} }`),
  op('feed', 'ranked, cold', 'somebody else each time', `{ feed(first: 20) ${nodes} }`),
  op(
    'post',
    'hot',
    'steady',
    ({ hotPost }) => `{ post(postId: "${hotPost}") { content comments(first: 20) { nodes { content } } } }`,
  ),
  op(
    'post',
    'hot, last comments',
    'steady',
    ({ hotPost }) => `{ post(postId: "${hotPost}") { content comments(last: 20) { nodes { content } } } }`,
  ),
  op(
    'post',
    'steady',
    'hot',
    ({ steadyPost }) =>
      `{ post(postId: "${steadyPost}") { content comments(first: 20) { nodes { content } } } }`,
  ),
  ...both('blockedUsers', 'hot', 'hider'),
  ...both('mutedUsers', 'hot', 'hider'),
  ...both('closeFriends', 'hot', 'hider'),
  op('mutedKeywords', 'hot', 'hot', '{ mutedKeywords }'),
  ...both('sponsoredPosts', 'all', 'admin'),
  ...bothOfHotAndSteady('inbox'),
  op(
    'inbox',
    'hot, unread and their count',
    'hot',
    '{ inbox(first: 20, filter: UNREAD) { unreadCount nodes { title } } }',
  ),
  ...bothOfHotAndSteady('deliveries'),
  op(
    'delivery',
    'timeline',
    'steady',
    ({ steadyDeliveries: [id] }) => `{ delivery(deliveryId: "${id}") { status timeline { at } } }`,
  ),
  op('devices', 'hot', 'hot', '{ devices { platform } }'),
  op('notificationPreferences', 'hot', 'hot', '{ notificationPreferences { __typename } }'),
  op(
    'notificationRequest',
    'hot',
    'admin',
    ({ users }) =>
      `{ notificationRequest(notificationId: "sent-${2 * users}", producer: "shop") { status } }`,
  ),
  op(
    'notificationRequest',
    'any producer',
    'admin',
    ({ users }) => `{ notificationRequest(notificationId: "sent-${2 * users}") { status } }`,
  ),
  ...both('notificationRequests', 'all', 'admin'),
  ...[
    ['a hot user', 'userId: "hot"'],
    ['a steady user', 'userId: "steady"'],
    ['a hot type', 'type: "HOT"'],
    ['a rare type', 'type: "RARE"'],
    ['an unused type', 'type: "UNUSED"'],
    ['completed', 'status: COMPLETED'],
    ['an unused status', 'status: CANCELLED'],
    ['an unused channel', 'channel: SMS'],
  ].map(([about, filter]) =>
    op(
      'notificationRequests',
      about!,
      'admin',
      `{ notificationRequests(first: 20, filter: { ${filter} }) ${nodes} }`,
    ),
  ),
  ...[1, 25].map((days) =>
    op(
      'notificationAnalytics',
      `${days} days`,
      'admin',
      () =>
        `{ notificationAnalytics(from: "${sinceWeeks(days)}", to: "${sinceWeeks(0)}") { __typename totals: __typename } }`,
    ),
  ),
  ...both('webhooks', 'all', 'admin'),
  ...['hotWebhook' as const, 'steadyWebhook' as const].flatMap((which) =>
    ['first: 20', 'last: 20', 'first: 20, failedOnly: true', 'last: 20, failedOnly: true'].map((page) =>
      op(
        'webhook',
        `${which}, ${page}`,
        'admin',
        (ground) => `{ webhook(webhookId: "${ground[which]}") { deliveries(${page}) ${nodes} } }`,
      ),
    ),
  ),
  ...[
    ['all', '', ''],
    ['a word of all', 'query: "tit"', ''],
    ['a rare word', 'query: "parcel777"', ''],
    ['no word', 'query: "nobodysaid this"', ''],
    ['a steady user', '', 'userId: "steady"'],
    ['a hot user and a word', 'query: "body"', 'userId: "hot"'],
    ['an unused channel', '', 'channel: SMS'],
    ['an unused status', '', 'status: CANCELLED'],
  ].flatMap(([about, query, filter]) =>
    ['first', 'last'].map((side) =>
      op(
        'searchDeliveries',
        `${about}, ${side} 20`,
        'admin',
        `{ searchDeliveries(${side}: 20, ${query} filter: { ${filter} }) ${nodes} }`,
      ),
    ),
  ),
  op('notificationBacklog', 'all', 'admin', '{ notificationBacklog { count oldest { status } } }'),
  ...both('deadLetters', 'all', 'admin'),
  op('deadLetters', 'an unused channel', 'admin', `{ deadLetters(first: 20, channel: SMS) ${nodes} }`),
  ...both('suppressions', 'all', 'admin'),
  ...both('suppressions', 'a channel', 'admin', ', channel: SMS'),
  op('suppressions', 'an address', 'admin', `{ suppressions(address: "Bounced-7@example.com") ${nodes} }`),
  ...both('notificationSchedules', 'all', 'admin'),
  op('notificationSchedule', 'none', 'admin', '{ notificationSchedule(scheduleId: "series-9") { status } }'),
  op('alerts', 'active', 'admin', '{ alerts { name } }'),
  op('alerts', 'all', 'admin', '{ alerts(active: false) { name } }'),
  op('template', 'one', 'admin', '{ template(templateId: "hot.push.en") { body } }'),
  ...both('templates', 'all', 'admin'),
  op(
    'previewTemplate',
    'one',
    'admin',
    '{ previewTemplate(input: { templateId: "hot.push.en", variables: {} }) { __typename } }',
  ),
  ...both('campaigns', 'all', 'admin'),
  op('campaign', 'of many pages', 'admin', '{ campaign(batchId: "batch-1") { matched } }'),
  op(
    'notificationAnalytics',
    'of a batch',
    'admin',
    () =>
      `{ notificationAnalytics(from: "${sinceWeeks(25)}", to: "${sinceWeeks(0)}", batchId: "batch-1") { sent } }`,
  ),
  ...[
    ['a steady value', 'tier = "steady"'],
    ['a hot value', 'tier = "hot"'],
    ['a range', 'score < 90'],
  ].map(([about, asked]) =>
    // Another filter each time: an estimate is kept for a while.
    op(
      'estimateSegment',
      about!,
      'admin',
      (_, time) =>
        `{ estimateSegment(filter: ${quote(`${asked} and score > ${time}`)}) { count sample { userId } } }`,
    ),
  ),
  op('queues', 'all', 'admin', '{ queues { __typename } }'),
  op('projectors', 'all', 'admin', '{ projectors { name } }'),
  ...both('events', 'all', 'admin'),
  ...both('events', 'a hot stream', 'admin', ', streamId: "Account-hot"'),
  ...both('events', 'a steady stream', 'admin', ', streamId: "Account-steady"'),
  ...both('events', 'a hot story', 'admin', ', correlationId: "hot-story"'),
  ...both('events', 'an unused story', 'admin', ', correlationId: "unused"'),
  ...bothOfHotAndSteady('accounts'),
  ...both('accounts', 'all', 'admin'),
  op('account', 'steady', 'steady', '{ account(accountId: "steady") { balance } }'),
  op('account', 'hot', 'hot', '{ account(accountId: "hot") { balance } }'),
  op(
    'account',
    'steady, as of',
    'steady',
    () => `{ account(accountId: "steady", asOf: "${sinceWeeks(1)}") { balance } }`,
  ),
  op(
    'account',
    'hot, as of',
    'hot',
    () => `{ account(accountId: "hot", asOf: "${sinceWeeks(1)}") { balance } }`,
  ),
  ...both('accountAudit', 'hot', 'hot', ', accountId: "hot"'),
  ...both('accountAudit', 'steady', 'steady', ', accountId: "steady"'),
  ...bothOfHotAndSteady('customers'),
  op('customer', 'one', 'steady', '{ customer(customerId: "customer-1") { email } }'),
  op(
    'customer',
    'hot, as of a day ago',
    'hot',
    () => `{ customer(customerId: "customer-4", asOf: "${sinceWeeks(1)}") { outstandingBalance } }`,
  ),
  ...bothOfHotAndSteady('orders'),
  op(
    'orders',
    'hot, an unused status',
    'hot',
    `{ orders(first: 20, filter: { status: CANCELLED }) ${nodes} }`,
  ),
  op('orders', 'all', 'admin', `{ orders(first: 20) ${nodes} }`),
  op(
    'orders',
    'all, an unused status',
    'admin',
    `{ orders(first: 20, filter: { status: SHIPPED }) ${nodes} }`,
  ),
  op(
    'orders',
    'of a hot customer, a status that none has, first 20',
    'hot',
    `{ orders(first: 20, filter: { customerId: "customer-4", status: CANCELLED }) ${nodes} }`,
  ),
  op(
    'orders',
    'of a hot customer, a status that none has, last 20',
    'hot',
    `{ orders(last: 20, filter: { customerId: "customer-4", status: CANCELLED }) ${nodes} }`,
  ),
  op(
    'orders',
    'of a hot customer of somebody else',
    'steady',
    `{ orders(first: 20, filter: { customerId: "customer-4" }) ${nodes} }`,
  ),
  op('order', 'one', 'steady', '{ order(orderId: "order-5") { status } }'),
  op('product', 'one', 'steady', '{ product(productId: "product-5") { name } }'),
  ...both('products', 'all', 'steady'),
  op('rateLimit', 'steady', 'steady', '{ rateLimit { __typename } }'),
  op('rateLimitRules', 'all', 'admin', '{ rateLimitRules { __typename } }'),
  op('operationsHistory', 'all', 'admin', '{ operationsHistory { at waitingJobs } }'),
  ...both('apiKeys', 'all', 'admin'),
  ...both('apiKeys', 'hot', 'admin', ', userId: "hot"'),
  ...both('inbox', 'hot, by an admin', 'admin', ', userId: "hot"'),
  ...both('mutedUsers', 'hot, by an admin', 'admin', ', userId: "hider"'),
  op('feed', 'hot, by an admin', 'admin', `{ feed(first: 20, userId: "hot") ${nodes} }`),
  ...both('suppressions', 'of a user', 'admin', ', userId: "hot"'),
  op('userAttributes', 'all', 'admin', '{ userAttributes { name type } }'),
  op('attributesOfUser', 'hot', 'admin', '{ attributesOfUser(userId: "hot") }'),
  op('rateLimitTopCallers', 'all', 'admin', '{ rateLimitTopCallers { __typename } }'),
  op(
    'rateLimitPreview',
    'one',
    'admin',
    '{ rateLimitPreview(descriptors: [{ key: "user_id", value: "hot" }]) { __typename } }',
  ),
  ...both('rateLimitRulesHistory', 'all', 'admin'),
];

/** What nobody should ask, and anybody may: a page of 100 at the end, filters that everybody passes, a century. */
const CENTURY = 'from: "1926-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z"';
const lastHundred = (field: string, as: Operation['as'], more = ''): Operation =>
  op(field, 'the last 100', as, `{ ${field}(last: 100${more}) ${nodes} }`);

export const greedyQueries: readonly Operation[] = [
  lastHundred('events', 'admin'),
  lastHundred('notificationRequests', 'admin'),
  lastHundred('deliveries', 'hot'),
  lastHundred('inbox', 'hot'),
  lastHundred('orders', 'hot'),
  lastHundred('products', 'steady'),
  lastHundred('deadLetters', 'admin'),
  lastHundred('searchDeliveries', 'admin', ', query: "t"'),
  lastHundred('suppressions', 'admin'),
  lastHundred('searchUsers', 'steady', ', query: "p"'),
  op(
    'user',
    'hot, the last 100 followers',
    'steady',
    '{ user(userId: "hot") { followers(last: 100) { nodes { __typename } } } }',
  ),
  op(
    'searchUsers',
    'a letter that all names have',
    'hot',
    `{ searchUsers(first: 100, query: "p") ${nodes} }`,
  ),
  op(
    'orders',
    'a status that all have',
    'hot',
    `{ orders(first: 100, filter: { status: CONFIRMED }) ${nodes} }`,
  ),
  op(
    'notificationRequests',
    'a century',
    'admin',
    `{ notificationRequests(first: 100, filter: { ${CENTURY} }) ${nodes} }`,
  ),
  op(
    'notificationRequests',
    'a century of all that everybody passes',
    'admin',
    `{ notificationRequests(first: 100, filter: { ${CENTURY}, channel: PUSH, status: COMPLETED }) ${nodes} }`,
  ),
];

/** Questions that are refused, and what the refusal says of how to narrow them. */
export const refusedQueries: readonly {
  readonly document: string;
  readonly code: string;
  readonly says: RegExp;
}[] = [
  {
    code: 'BAD_USER_INPUT',
    document: `{ notificationAnalytics(${CENTURY}) { __typename } }`,
    says: /at most 90 days/,
  },
  {
    document: '{ events(first: 10000000) { nodes { __typename } } }',
    code: 'QUERY_TOO_COSTLY',
    says: /smaller pages/,
  },
];

const user = (time: number): string => `user-${400 + time}`;

export const mutations: readonly Operation[] = [
  change('upsertProfile', 'hot', 'hot', (_, time) => `displayName: "Hot ${time}"`),
  change('followUser', 'someone', 'hot', (_, time) => `userId: "${user(time)}"`),
  change('unfollowUser', 'someone', 'steady', (_, time) => `userId: "user-${110 + time}"`),
  change('blockUser', 'someone', 'hot', (_, time) => `userId: "user-${450 + time}"`),
  change('unblockUser', 'someone', 'hot', (_, time) => `userId: "user-${450 + time}"`),
  change('muteUser', 'someone', 'hot', (_, time) => `userId: "user-${450 + time}"`),
  change('unmuteUser', 'someone', 'hot', (_, time) => `userId: "user-${450 + time}"`),
  change(
    'setCloseFriend',
    'someone',
    'hider',
    (_, time) => `userId: "user-${150 + time}", isCloseFriend: false`,
  ),
  change('setMutedKeywords', 'hot', 'hot', (_, time) => `keywords: ["word${time}"]`),
  change('setVerified', 'hot', 'admin', () => 'userId: "hot", verified: true'),
  change(
    'publishPost',
    'by a hot author',
    'hot',
    (_, time) => `content: "A new post, number ${time}, of ${Date.now()}"`,
  ),
  change(
    'publishPost',
    'by a steady author',
    'steady',
    (_, time) => `content: "Another new post, ${time}, of ${Date.now()}"`,
  ),
  change(
    'editPost',
    'of a hot author',
    'hot',
    ({ hotPosts }, time) => `postId: "${hotPosts[time]}", content: "Edited at ${Date.now()}"`,
  ),
  change('likePost', 'hot', 'hider', ({ hotPosts }, time) => `postId: "${hotPosts[time]}"`),
  change('unlikePost', 'hot', 'hider', ({ hotPosts }, time) => `postId: "${hotPosts[time]}"`),
  change(
    'reactToPost',
    'the hot post',
    'steady',
    ({ hotPost }, time) => `postId: "${hotPost}", kind: ${time % 2 ? 'WOW' : 'SAD'}`,
  ),
  change('removeReaction', 'the hot post', 'steady', ({ hotPost }) => `postId: "${hotPost}"`),
  change(
    'addComment',
    'the hot post',
    'steady',
    ({ hotPost }, time) => `postId: "${hotPost}", content: "Comment ${time}"`,
  ),
  change(
    'sharePost',
    'the hot post',
    'steady',
    ({ hotPost }, time) => `postId: "${hotPost}", content: "Shared ${time} ${Date.now()}"`,
  ),
  change(
    'deleteComment',
    'on the hot post',
    'admin',
    ({ hotComments }, time) => `commentId: "${hotComments[time]}"`,
  ),
  change('sponsorPost', 'one', 'admin', ({ steadyPosts }, time) => `postId: "${steadyPosts[time]}"`),
  change('unsponsorPost', 'one', 'admin', ({ steadyPosts }, time) => `postId: "${steadyPosts[time]}"`),
  change(
    'recordSignals',
    'a click',
    'steady',
    ({ otherPosts }, time) => `signals: [{ kind: CLICK, postId: "${otherPosts[time]}" }]`,
  ),
  change('deletePost', 'of a hot author', 'hot', ({ hotPosts }, time) => `postId: "${hotPosts[10 + time]}"`),
  change('updateNotificationSettings', 'hot', 'hot', (_, time) => `email: "hot${time}@example.com"`),
  change(
    'setNotificationPreferences',
    'hot',
    'hot',
    (_, time) => `preferences: [{ notificationType: "T${time}", channel: EMAIL, enabled: true }]`,
  ),
  change(
    'registerDevice',
    'hot',
    'hot',
    (_, time) => `deviceId: "d${time}", deviceToken: "${`${time}a`.padEnd(64, '0')}", platform: IOS`,
  ),
  change('unregisterDevice', 'hot', 'hot', (_, time) => `deviceId: "d${time}"`),
  change(
    'saveTemplate',
    'one',
    'admin',
    (_, time) => `templateId: "new-${time}", notificationType: "NEW", channel: PUSH, title: "T", body: "B"`,
  ),
  change('deactivateTemplate', 'one', 'admin', (_, time) => `templateId: "new-${time}"`),
  change('activateTemplate', 'one', 'admin', (_, time) => `templateId: "new-${time}"`),
  change(
    'sendNotification',
    'to a hot user',
    'admin',
    (_, time) =>
      `notificationId: "n-${time}-${Date.now()}", type: "HOT", templateId: "hot.push.en", scheduleAt: "${sinceWeeks(-1)}", recipients: [{ userId: "hot", channels: [PUSH] }]`,
  ),
  change(
    'sendBatch',
    'to a hot user',
    'admin',
    (_, time) =>
      `batchId: "new-${time}", templateId: "hot.push.en", segment: { filter: "userId = \\"hot\\"" }, throttle: { windowHours: 1 }`,
  ),
  change(
    'sendBatch',
    'that is scheduled',
    'admin',
    (_, time) =>
      `batchId: "later-${time}", templateId: "hot.push.en", segment: { filter: "userId = \\"hot\\"" }, scheduleAt: "${sinceWeeks(-1)}"`,
  ),
  // None is left to be worked on when jobs are measured.
  change('controlCampaign', 'one', 'admin', (_, time) => `batchId: "new-${time}", action: CANCEL`),
  change('controlCampaign', 'scheduled', 'admin', (_, time) => `batchId: "later-${time}", action: CANCEL`),
  change(
    'setUserAttributes',
    'of a user',
    'admin',
    (_, time) => `users: [{ userId: "user-${100 + time}", attributes: { tier: "new", score: ${time} } }]`,
  ),
  change(
    'createNotificationSchedule',
    'to a hot user',
    'admin',
    (_, time) =>
      `scheduleId: "s-${time}-${Date.now()}", rrule: "FREQ=DAILY", startsAt: "${sinceWeeks(-1)}", type: "HOT", templateId: "hot.push.en", recipients: [{ userId: "hot", channels: [PUSH] }]`,
  ),
  change(
    'sendNotification',
    'of a hot group',
    'admin',
    (_, time) =>
      `notificationId: "g-${time}-${Date.now()}", type: "POST_LIKED", templateId: "liked.push.en", group: { key: "post", actorId: "new-${time}", actorName: "New" }, recipients: [{ userId: "hot", channels: [PUSH] }]`,
  ),
  change(
    'sendTestNotification',
    'to a hot user',
    'admin',
    () => 'channel: PUSH, templateId: "hot.push.en", userId: "hot"',
  ),
  change(
    'markInbox',
    'hot, one',
    'hot',
    // Of what is read, its delivery is told after the answer: whatever is measured then would touch those blocks.
    ({ hotDeliveries }, time) => `action: ARCHIVE, itemIds: ["${hotDeliveries[time]}"]`,
  ),
  change(
    'recordEngagement',
    'one',
    'hot',
    ({ hotDeliveries }, time) => `deliveryId: "${hotDeliveries[10 + time]}", kind: OPENED`,
  ),
  change(
    'discardDeadLetters',
    'one',
    'admin',
    ({ deadLetters }, time) => `deliveryIds: ["${deadLetters[time]}"]`,
  ),
  change(
    'createWebhook',
    'one',
    'admin',
    (_, time) => `url: "https://example.com/made/${time}", eventTypes: ["SENT"]`,
  ),
  change(
    'updateWebhook',
    'hot, switched on again',
    'admin',
    ({ hotWebhook }, time) =>
      `webhookId: "${hotWebhook}", isActive: true, eventTypes: ["SENT", "${time % 2 ? 'FAILED' : 'DLQ'}"]`,
  ),
  change('rotateWebhookSecret', 'hot', 'admin', ({ hotWebhook }) => `webhookId: "${hotWebhook}"`),
  change(
    'replayWebhook',
    'one of hot',
    'admin',
    ({ hotWebhook, webhookDeliveries }, time) =>
      `webhookId: "${hotWebhook}", deliveryId: "${webhookDeliveries[time]}"`,
  ),
  change(
    'replayWebhook',
    'steady, all',
    'admin',
    ({ steadyWebhook }) => `webhookId: "${steadyWebhook}", since: "${sinceWeeks(30)}"`,
  ),
  change(
    'deleteWebhook',
    'another',
    'admin',
    ({ otherWebhooks }, time) => `webhookId: "${otherWebhooks[time]}"`,
  ),
  change(
    'retryDeadLetters',
    'one',
    'admin',
    ({ deadLetters }, time) => `deliveryIds: ["${deadLetters[10 + time]}"]`,
  ),
  change(
    'addSuppression',
    'one',
    'admin',
    (_, time) => `channel: EMAIL, address: "added-${time}@example.com", note: "asked by mail"`,
  ),
  change(
    'removeSuppression',
    'one',
    'admin',
    (_, time) => `channel: EMAIL, address: "added-${time}@example.com", note: "asked by mail"`,
  ),
  change(
    'removeSuppression',
    'a number that everybody has',
    'admin',
    () => `channel: SMS, address: "+15550100000", note: "asked by mail"`,
  ),
  change('createAccount', 'one', 'hot', (_, time) => `accountId: "made-${time}"`),
  change('closeAccount', 'one', 'hot', (_, time) => `accountId: "made-${time}"`),
  change('deposit', 'steady', 'admin', () => `accountId: "steady", amount: "1.00"`),
  change('deposit', 'hot', 'admin', () => `accountId: "hot", amount: "1.00"`),
  change('withdraw', 'steady', 'steady', () => `accountId: "steady", amount: "1.00"`),
  change('withdraw', 'hot', 'hot', () => `accountId: "hot", amount: "1.00"`),
  change(
    'transferMoney',
    'steady',
    'steady',
    () => `fromAccountId: "steady", toAccountId: "hot", amount: "1.00"`,
  ),
  change(
    'registerCustomer',
    'one',
    'steady',
    (_, time) =>
      `customerId: "made-${time}", userId: "steady", firstName: "A", lastName: "B", email: "a@example.com"`,
  ),
  change(
    'registerCustomer',
    'hot',
    'hot',
    (_, time) =>
      `customerId: "hot-made-${time}", firstName: "A", lastName: "B", email: "a@example.com", creditLimit: "1.00"`,
  ),
  change(
    'setCustomerStatus',
    'hot',
    'admin',
    (_, time) => `customerId: "hot-made-${time}", creditLimit: "${2 + time}.00"`,
  ),
  change(
    'setCustomerStatus',
    'one',
    'admin',
    (_, time) => `customerId: "made-${time}", isActive: true, creditLimit: "${100 + time}.00"`,
  ),
  change(
    'saveProduct',
    'one',
    'admin',
    (_, time) => `productId: "made-${time}", name: "P", inStock: 5, unitPrice: "1.00"`,
  ),
  change(
    'placeOrder',
    'one',
    'steady',
    (_, time) =>
      `customerId: "made-0", orderId: "made-${time}", items: [{ productId: "made-${time}", quantity: 1, price: "1.00" }], shippingAddress: { street: "S", city: "C", zip: "1" }`,
  ),
  change(
    'shipOrder',
    'one',
    'admin',
    (_, time) => `orderId: "made-${time}", trackingNumber: ${quote(`T${time}`)}`,
  ),
  change('createApiKey', 'one', 'admin', (_, time) => `userId: "hot", name: "key ${time}"`),
  change('revokeApiKey', 'one', 'admin', (_, time) => `apiKeyId: ${quote(`${time}`.padStart(16, '0'))}`),
  change('recordPayment', 'one', 'admin', () => 'customerId: "made-0", amount: "1.00"'),
];

/** Fields that nothing measures, with the reason. */
export const unmeasured: Readonly<Record<string, string>> = {
  node: 'reads one object by its type’s own reader, which the type’s field measures',
  nodes: 'as node, for several',
  media: 'reads one row by its key; the ground has no files',
  transfer: 'reads one row by its key; the ground has no transfers',
  controlNotificationSchedule: 'writes one row by its key; wants a schedule of the caller’s own',
  cancelNotification: 'wants a request that was not sent: the ground has none that a producer may cancel',
  cancelOrder: 'writes as shipOrder does',
  markFeedRead: 'wants a cursor of the feed; writes one row by its key',
  putRateLimitRules: 'changes the rules that the other measurements run under',
  reloadRateLimitRules: 'reads a file',
  forgetProjector: 'deletes one row by its key, of a few dozen',
  deleteUserAttribute:
    'marks one row by its key; the job that removes values has a batch, and would take them from the other measurements',
  rebuildProjector: 'asks for a rebuild: a job of its own size, measured by bench/projector.rebuild',
};

import type { Message, SendMessage } from './domains/commerce/messages.js';
import type { FeedMessages, SendFeedMessage } from './domains/feed/index.js';
import type { Notifications } from './domains/notifications/index.js';
import type { Caller } from './platform/auth/caller.js';
import { ok, refused } from './platform/errors.js';

type SendsNotifications = Pick<
  Notifications,
  'request' | 'findActiveTemplate' | 'send' | 'deliveriesOfRequest' | 'timelines'
>;
type GroupsMessages = SendsNotifications & Pick<Notifications, 'affirmMember' | 'withdrawMember'>;
type Sent = ReturnType<SendFeedMessage>;

/** How the feed has notifications sent, and people withdrawn from them. */
export const feedMessagesThrough = (notifications: GroupsMessages): FeedMessages => ({
  send: sendToManyThrough(notifications),
  withdraw: ({ viewer }, { userId, type, key, actorId, undoneAt }) =>
    notifications.withdrawMember(
      { userIds: [userId], producer: viewer.userId, type },
      { key, actorId },
      undoneAt,
    ),
});

/**
 * Messages are notifications of their type, in whichever texts are active. Notices of the feed that nobody wants leave no
 * trace: most notices of a popular post are one too many.
 */
export const sendToManyThrough =
  (notifications: GroupsMessages): SendFeedMessage =>
  async (caller, message) => {
    // Whatever became of the templates since, and though intake forgets ids after a day: accepted is accepted.
    const earlier = await notifications.request(caller, message.notificationId, null);
    if (!earlier) return sendNow(notifications, caller, message, { isUntraced: true });
    const userIds = message.recipients.map(({ userId }) => userId);
    const groups = { userIds, producer: caller.viewer.userId, type: message.type };
    if (message.group) await notifications.affirmMember(groups, message.group);
    return ok(earlier);
  };

/** As `sendToManyThrough`, for messages that concern one person, who may ask why they heard nothing: these leave a trace. */
export function sendThrough(notifications: SendsNotifications): SendMessage {
  return async (caller: Caller, { userId, variables, ...message }: Message) => {
    const earlier = await notifications.request(caller, message.notificationId, null);
    if (earlier && (await wasAccepted(notifications, earlier.requestId))) return ok(earlier);
    return sendNow(notifications, caller, { ...message, recipients: [{ userId, variables }] }, {});
  };
}

async function sendNow(
  notifications: SendsNotifications,
  caller: Caller,
  { notificationId, type, recipients, group }: Parameters<SendFeedMessage>[1],
  options: { readonly isUntraced?: boolean },
): Sent {
  const templateId = await notifications.findActiveTemplate(type);
  if (templateId === null) return refused('TEMPLATE_NOT_FOUND', `No template of type ${type} is active`);
  const request = { notificationId, type, templateId, recipients, ...(group && { group }) };
  return notifications.send(caller, request, options);
}

/** One person has no more deliveries of a request. */
const ALL_OF_ONE = { limit: 50, direction: 'forward', cursor: null } as const;

/** Whether a request is more than the trace of one that was refused: one of its deliveries was to be made. */
async function wasAccepted(notifications: SendsNotifications, requestId: string): Promise<boolean> {
  const { edges } = await notifications.deliveriesOfRequest(requestId, ALL_OF_ONE);
  if (edges.some(({ node }) => node.status !== 'SUPPRESSED' || node.suppression === 'DIGESTED')) return true;
  const timelines = await notifications.timelines(edges.map(({ node }) => node.deliveryId));
  return [...timelines.values()].flat().some(({ event }) => event === 'QUEUED' || event === 'SCHEDULED');
}

import { registerEnumType } from 'type-graphql';
import {
  type Channel as ChannelName,
  channels,
  deliveryStatuses,
  lifecycleEvents,
  requestStatuses,
  rulesOfChannel,
  suppressionReasons,
} from '../domains/notifications/index.js';

/** The domain's words under the API's names. */
export const Channel = Object.fromEntries(
  channels.map((channel) => [channel.toUpperCase(), channel]),
) as Readonly<{ [Name in ChannelName as Uppercase<Name>]: Name }>;
export const Priority = { HIGH: 'high', MEDIUM: 'medium', LOW: 'low' } as const;
export const DigestFrequency = { REALTIME: 'realtime', HOURLY: 'hourly', DAILY: 'daily' } as const;
export const Platform = { IOS: 'ios', ANDROID: 'android', WEB: 'web' } as const;
export const DeliveryStatus = sameNames(deliveryStatuses);
export const LifecycleEvent = sameNames(lifecycleEvents);
export const SuppressionReason = sameNames(suppressionReasons);
export const RequestStatus = sameNames(requestStatuses);

registerEnumType(Channel, {
  name: 'Channel',
  description: 'How a notification reaches a user.',
  valuesConfig: Object.fromEntries(
    channels.map((channel) => [channel.toUpperCase(), { description: rulesOfChannel(channel).description }]),
  ),
});
registerEnumType(Priority, {
  name: 'Priority',
  description: 'How urgent a notification is. Each priority has queues of its own.',
  valuesConfig: {
    HIGH: { description: 'Somebody waits for it.' },
    MEDIUM: { description: 'Soon.' },
    LOW: { description: 'Whenever there is time.' },
  },
});
registerEnumType(Platform, {
  name: 'Platform',
  description: 'What a device runs.',
  valuesConfig: {
    IOS: { description: "Apple's iOS." },
    ANDROID: { description: 'Android.' },
    WEB: { description: 'A browser.' },
  },
});
registerEnumType(DigestFrequency, {
  name: 'DigestFrequency',
  description: 'How often a user wants to be notified of what is not urgent.',
  valuesConfig: {
    REALTIME: { description: 'Each by itself, at once.' },
    HOURLY: { description: 'Together, once an hour.' },
    DAILY: { description: 'Together, once a day.' },
  },
});
registerEnumType(DeliveryStatus, {
  name: 'DeliveryStatus',
  description: 'How far a delivery is.',
  valuesConfig: {
    SCHEDULED: { description: 'It waits for its time; preferences, limits and text are decided then.' },
    QUEUED: { description: 'It waits to be sent.' },
    SENT: { description: 'A provider took it.' },
    DELIVERED: { description: 'It arrived.' },
    OPENED: { description: 'The user opened it.' },
    CLICKED: { description: 'The user followed a link of it, or tapped it.' },
    DISMISSED: { description: 'The user swiped it away.' },
    RETRYING: { description: 'An attempt failed; the next one waits for its time.' },
    SUPPRESSED: { description: 'It is not sent; `suppression` says why.' },
    EXPIRED: { description: 'It was not sent before `expiresAt`.' },
    CANCELLED: { description: 'Its producer took it back before it was sent.' },
    DEAD: { description: 'All attempts failed; an admin may retry it.' },
  },
});
registerEnumType(LifecycleEvent, {
  name: 'LifecycleEvent',
  description: 'One step in the life of a delivery.',
  valuesConfig: {
    CREATED: { description: 'The request was accepted.' },
    VALIDATED: { description: 'The request was found well-formed.' },
    PREFERENCE_CHECKED: { description: "The user's preferences were looked at." },
    RENDERED: { description: 'The text was made from the template.' },
    QUEUED: { description: 'It waits to be sent.' },
    SENT: { description: 'A provider took it.' },
    DELIVERED: { description: 'It arrived.' },
    OPENED: { description: 'The user opened it.' },
    CLICKED: { description: 'The user followed a link of it, or tapped it.' },
    DISMISSED: { description: 'The user swiped it away.' },
    UNSUBSCRIBED: { description: 'The user unsubscribed by it.' },
    FAILED: { description: 'A call to a provider failed.' },
    RETRY: { description: 'Another attempt was planned.' },
    DLQ: { description: 'All attempts failed: it became a dead letter.' },
    EXPIRED: { description: 'It was not sent before `expiresAt`.' },
    SCHEDULED: { description: 'It was put off to a later time.' },
    SUPPRESSED: { description: 'It was decided not to send it.' },
    CANCELLED: { description: 'Its producer took it back.' },
  },
});
registerEnumType(SuppressionReason, {
  name: 'SuppressionReason',
  description: 'Why a delivery was not made.',
  valuesConfig: {
    DUPLICATE: { description: 'The same recipient and channel were named twice.' },
    CHANNEL_DISABLED: { description: 'The user has turned this type off on this channel.' },
    MARKETING_OPT_OUT: { description: 'The user wants no marketing.' },
    QUIET_HOURS: {
      description: "It was the user's quiet hours, and this type is not deferred until they end.",
    },
    RATE_LIMITED: { description: 'The user has had as many as the limits allow.' },
    NO_ADDRESS: { description: 'The user has no address or device for this channel.' },
    TEMPLATE_NOT_FOUND: { description: 'There is no template for this channel.' },
    MISSING_VARIABLE: { description: 'The recipient lacks a variable that the template requires.' },
    CANCELLED: { description: 'The producer took it back.' },
  },
});
registerEnumType(RequestStatus, {
  name: 'RequestStatus',
  description: 'How far a request is, over all its deliveries.',
  valuesConfig: {
    ACCEPTED: { description: 'Accepted; nothing was sent yet.' },
    SCHEDULED: { description: 'It waits for `scheduleAt`.' },
    PROCESSING: { description: 'Some deliveries are finished, others are not.' },
    COMPLETED: { description: 'No delivery is open any more.' },
    CANCELLED: { description: 'Its producer took it back.' },
    EXPIRED: { description: 'It was not sent before `expiresAt`.' },
  },
});

export function sameNames<Name extends string>(names: readonly Name[]): { readonly [Key in Name]: Key } {
  return Object.fromEntries(names.map((name) => [name, name])) as { readonly [Key in Name]: Key };
}

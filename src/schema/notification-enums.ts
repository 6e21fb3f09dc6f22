import type * as words from '../domains/notifications/index.js';
import { channels, rulesOfChannel } from '../domains/notifications/index.js';
import { enumOf, lowerCaseEnumOf } from './enums.js';

export const Channel = lowerCaseEnumOf<words.Channel>(
  'Channel',
  'How a notification reaches a user.',
  Object.fromEntries(
    channels.map((channel) => [channel.toUpperCase(), rulesOfChannel(channel).description]),
  ) as Record<Uppercase<words.Channel>, string>,
);

export const Priority = lowerCaseEnumOf<words.Priority>(
  'Priority',
  'How urgent a notification is. Each priority has queues of its own.',
  {
    HIGH: 'Somebody waits for it.',
    MEDIUM: 'Soon.',
    LOW: 'Whenever there is time.',
  },
);

export const Platform = lowerCaseEnumOf<words.Platform>('Platform', 'What a device runs.', {
  IOS: "Apple's iOS.",
  ANDROID: 'Android.',
  WEB: 'A browser.',
});

export const DigestFrequency = lowerCaseEnumOf<words.DigestFrequency>(
  'DigestFrequency',
  'How often a user wants to be notified of what is not urgent.',
  {
    REALTIME: 'Each by itself, at once.',
    HOURLY: 'Together, once an hour.',
    DAILY: 'Together, once a day.',
  },
);

export const TemplateSyntax = enumOf<words.TemplateSyntax>(
  'TemplateSyntax',
  'What the texts of a template are written in.',
  {
    PLAIN: 'Placeholders like `{{name}}`; all else stands as it is, tags of Liquid too.',
    LIQUID:
      'Liquid: `{{ name | upcase }}`, `if`, `unless`, `case`, `for`, `render` and `comment`. Values are escaped for their place as in PLAIN.',
  },
);

export const DeliveryStatus = enumOf<words.DeliveryStatus>('DeliveryStatus', 'How far a delivery is.', {
  SCHEDULED: 'It waits for its time; preferences, limits and text are decided then.',
  QUEUED: 'It waits to be sent.',
  SENT: 'A provider took it.',
  DELIVERED: 'It arrived.',
  OPENED: 'The user opened it.',
  CLICKED: 'The user followed a link of it, or tapped it.',
  DISMISSED: 'The user swiped it away.',
  RETRYING: 'An attempt failed; the next one waits for its time.',
  SUPPRESSED: 'It is not sent; `suppression` says why.',
  EXPIRED: 'It was not sent before `expiresAt`.',
  CANCELLED: 'Its producer took it back before it was sent.',
  DEAD: 'All attempts failed; an admin may retry it.',
});

export const LifecycleEvent = enumOf<words.LifecycleEvent>(
  'LifecycleEvent',
  'One step in the life of a delivery.',
  {
    CREATED: 'The request was accepted.',
    VALIDATED: 'The request was found well-formed.',
    PREFERENCE_CHECKED: "The user's preferences were looked at.",
    RENDERED: 'The text was made from the template.',
    QUEUED: 'It waits to be sent.',
    SENT: 'A provider took it.',
    DELIVERED: 'It arrived.',
    OPENED: 'The user opened it.',
    CLICKED: 'The user followed a link of it, or tapped it.',
    DISMISSED: 'The user swiped it away.',
    UNSUBSCRIBED: 'The user unsubscribed by it.',
    FAILED: 'A call to a provider failed.',
    RETRY: 'Another attempt was planned.',
    DLQ: 'All attempts failed: it became a dead letter.',
    EXPIRED: 'It was not sent before `expiresAt`.',
    SCHEDULED: 'It was put off to a later time.',
    SUPPRESSED: 'It was decided not to send it.',
    CANCELLED: 'Its producer took it back.',
  },
);

export const SuppressionReason = enumOf<words.SuppressionReason>(
  'SuppressionReason',
  'Why a delivery was not made.',
  {
    DUPLICATE: 'The same recipient and channel were named twice.',
    CHANNEL_DISABLED: 'The user has turned this type off on this channel in their settings.',
    MARKETING_OPT_OUT: 'The user wants no marketing.',
    QUIET_HOURS: "It was the user's quiet hours, and this type is not deferred until they end.",
    RATE_LIMITED: 'The user has had as many as the limits allow.',
    NO_ADDRESS: 'The user has no address or device for this channel.',
    ADDRESS_SUPPRESSED:
      'The address is on the suppression list: it bounced, its owner complained or answered STOP, or an admin added it.',
    TEMPLATE_NOT_FOUND: 'There is no template for this channel.',
    MISSING_VARIABLE: 'The recipient lacks a variable that the template requires.',
    EXPIRED: 'It was not sent before `expiresAt`.',
    CANCELLED: 'The producer took it back.',
    UNSUBSCRIBED:
      'The user unsubscribed from this type on this channel, by a message, and has not turned it on since.',
    DIGESTED: "It goes out with the user's next digest, whose `notificationId` the step's `detail` has.",
    GROUPED: 'The delivery of another notification of its group stands for it, or who acted undid it.',
  },
);

export const RequestStatus = enumOf<words.RequestStatus>(
  'RequestStatus',
  'How far a request is, over all its deliveries.',
  {
    ACCEPTED: 'Accepted; nothing was sent yet.',
    SCHEDULED: 'It waits for `scheduleAt`, or for a digest.',
    PROCESSING: 'Some deliveries are finished, others are not.',
    COMPLETED: 'No delivery is open any more.',
    CANCELLED: 'Its producer took it back.',
    EXPIRED: 'It was not sent before `expiresAt`.',
  },
);

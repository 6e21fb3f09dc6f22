import { Field, ID, InputType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import { Channel, DigestFrequency, Platform, Priority, RequestStatus } from './notification-enums.js';
import { DateTime, JSONObject, TimeOfDay } from './scalars.js';

@InputType({ description: 'One recipient of a notification.' })
export class RecipientInput {
  @Field(() => ID)
  userId: string;
  @Field(() => [Channel], {
    nullable: true,
    description:
      'Only these of the channels that the user allows; at least one. Absent: push, email and SMS.',
  })
  channels?: words.Channel[] | null;
  @Field(() => JSONObject, {
    nullable: true,
    description:
      "The values of the template's variables, by name: texts and numbers; for LIQUID templates also true and false, objects of these with at most 50 members, and lists of at most 100 of all these.",
  })
  variables?: Record<string, unknown> | null;
}

@InputType({
  description:
    'What a notification is about and who acted: several of one type and key are sent as one, "Ann and 11 others", where the type is grouped. Its texts may use the variables `actors`, `actor`, `others` and `count`.',
})
export class NotificationGroupInput {
  @Field({
    description:
      'What it is about, 1 to 128 characters: the id of a post, for example. With the recipient, the producer and the type it names the group.',
  })
  key: string;
  @Field(() => ID, {
    description:
      'Who acted, 1 to 64 characters, by their raw id or their global id. Each is counted once, however often they act.',
  })
  actorId: string;
  @Field({ description: 'Their name, 1 to 255 characters.' })
  actorName: string;
}

@InputType()
export class SendNotificationInput {
  @Field(() => ID, {
    description:
      "The producer's own id of the notification, 1 to 64 characters. The same id and input again answers the first result and sends again only what was given up (DEAD). Taken as it is, whatever it looks like.",
  })
  notificationId: string;
  @Field({ description: 'The kind of notification, 1 to 64 characters: `ORDER_SHIPPED`, for example.' })
  type: string;
  @Field(() => Priority, { nullable: true, description: 'How urgent it is. Absent: as the type is.' })
  priority?: words.Priority | null;
  @Field(() => [RecipientInput], { description: '1 to 1,000 of them.' })
  recipients: RecipientInput[];
  @Field(() => ID)
  templateId: string;
  @Field(() => [Channel], {
    nullable: true,
    description: 'Channels to try, in this order, where a delivery fails for good.',
  })
  fallbackChannels?: words.Channel[] | null;
  @Field(() => DateTime, {
    nullable: true,
    description:
      'When it is sent: at most a year ahead. Preferences, limits and text are decided then. Absent: now.',
  })
  scheduleAt?: Date | null;
  @Field(() => Boolean, {
    nullable: true,
    description:
      "True: of `scheduleAt` the date and time in UTC are meant, on the clock of each recipient. `2026-12-24T08:00:00Z` is sent when the recipient's zone shows 08:00 on that day: at once where it has, and where daylight saving skips the time, when it does. Absent: false.",
  })
  scheduleInLocalTime?: boolean | null;
  @Field(() => DateTime, {
    nullable: true,
    description: 'It is not sent after this time. Absent: no limit.',
  })
  expiresAt?: Date | null;
  @Field(() => NotificationGroupInput, {
    nullable: true,
    description:
      'Sends it as one with others of its type about the same. Not together with `scheduleAt`. Absent: it is sent by itself.',
  })
  group?: NotificationGroupInput | null;
}

@InputType()
export class CancelNotificationInput {
  @Field(() => ID, {
    description:
      "The producer's own id of the notification, of which the newest request is cancelled; or the global id of a `NotificationRequest`.",
  })
  notificationId: string;
}

@InputType({ description: 'Which requests. What is absent or null narrows nothing.' })
export class NotificationRequestFilter {
  @Field(() => ID, {
    nullable: true,
    description: 'Only requests with this recipient, by their raw id or their global id.',
  })
  userId?: string | null;
  @Field(() => String, { nullable: true, description: 'Only this kind of notification.' })
  type?: string | null;
  @Field(() => RequestStatus, { nullable: true, description: 'Only requests of this status.' })
  status?: words.RequestStatus | null;
  @Field(() => Channel, { nullable: true, description: 'Only requests with a delivery over this channel.' })
  channel?: words.Channel | null;
  @Field(() => DateTime, { nullable: true, description: 'Only what was accepted at this time or after it.' })
  from?: Date | null;
  @Field(() => DateTime, { nullable: true, description: 'Only what was accepted before this time.' })
  to?: Date | null;
}

@InputType()
export class RegisterDeviceInput {
  @Field(() => ID, {
    description:
      'An id that the app makes up and keeps, 1 to 128 characters; or the global id of a device of the caller.',
  })
  deviceId: string;
  @Field(() => Platform, { description: 'What the device runs.' })
  platform: words.Platform;
  @Field({
    description:
      'For IOS (at most 512 characters) and ANDROID (4,096) the token that the provider gave the app; for WEB the PushSubscription as JSON text, whose endpoint has at most 4,096.',
  })
  deviceToken: string;
  @Field(() => String, { nullable: true, description: 'The version of the app, 1 to 16 characters.' })
  appVersion?: string | null;
}

@InputType()
export class UnregisterDeviceInput {
  @Field(() => ID, { description: 'A device of the caller, by its raw id or its global id.' })
  deviceId: string;
}

@InputType({ description: 'Whether a kind of notification is wanted over a channel.' })
export class ChannelPreferenceInput {
  @Field({ description: 'The kind of notification, 1 to 64 characters.' })
  notificationType: string;
  @Field(() => Channel, { description: 'The channel.' })
  channel: words.Channel;
  @Field({ description: 'Whether it is wanted.' })
  enabled: boolean;
}

@InputType()
export class SetNotificationPreferencesInput {
  @Field(() => ID, {
    nullable: true,
    description: "Whose preferences, by raw id or global id. Absent: the caller's. Another user's: admin.",
  })
  userId?: string | null;
  @Field(() => [ChannelPreferenceInput], {
    description: '1 to 200 of them; those that are not named stay as they are.',
  })
  preferences: ChannelPreferenceInput[];
}

@InputType({
  description:
    'What `updateNotificationSettings` takes. What is absent stays as it is; null brings the default back.',
})
export class UpdateNotificationSettingsInput {
  @Field(() => ID, {
    nullable: true,
    description: "Whose settings, by raw id or global id. Absent: the caller's. Another user's: admin.",
  })
  userId?: string | null;
  @Field(() => TimeOfDay, {
    nullable: true,
    description: 'When quiet hours begin. Together with `quietHoursEnd`, or neither.',
  })
  quietHoursStart?: string | null;
  @Field(() => TimeOfDay, {
    nullable: true,
    description: 'When quiet hours end; before their start means on the next day.',
  })
  quietHoursEnd?: string | null;
  @Field(() => String, {
    nullable: true,
    description: "The user's IANA time zone, like `Europe/Berlin`. Null: UTC.",
  })
  timezone?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'A language code like `en` or `pt-BR`. Null: none is preferred.',
  })
  language?: string | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the user wants marketing. Null: the default, true.',
  })
  marketingOptIn?: boolean | null;
  @Field(() => DigestFrequency, {
    nullable: true,
    description: 'How often the user wants to be notified of what is not urgent. Null: REALTIME.',
  })
  digestFrequency?: words.DigestFrequency | null;
  @Field(() => String, { nullable: true, description: 'Where mails go. Null: nowhere.' })
  email?: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Where text messages go, in E.164 format: `+4915112345678`. Null: nowhere.',
  })
  phone?: string | null;
}

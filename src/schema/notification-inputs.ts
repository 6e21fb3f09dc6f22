import { Field, ID, InputType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import { Channel, DigestFrequency, Platform, Priority, RequestStatus } from './notification-enums.js';
import { DateTime, JSONObject, TimeOfDay } from './scalars.js';

@InputType()
export class RecipientInput {
  @Field(() => ID)
  userId: string;
  @Field(() => [Channel], {
    nullable: true,
    description: "Narrows the user's preferences. Absent: push, email and SMS.",
  })
  channels?: words.Channel[] | null;
  @Field(() => JSONObject, { nullable: true, description: 'Texts and numbers by name.' })
  variables?: Record<string, unknown> | null;
}

@InputType()
export class SendNotificationInput {
  @Field(() => ID)
  notificationId: string;
  @Field()
  type: string;
  @Field(() => Priority, { nullable: true, description: "Absent: the type's." })
  priority?: words.Priority | null;
  @Field(() => [RecipientInput], { description: '1 to 1,000.' })
  recipients: RecipientInput[];
  @Field(() => ID)
  templateId: string;
  @Field(() => [Channel], {
    nullable: true,
    description: 'Channels to be tried, in order, where one fails for good.',
  })
  fallbackChannels?: words.Channel[] | null;
  @Field(() => DateTime, {
    nullable: true,
    description: 'Sent then, at most a year ahead; preferences, limits and text are decided then.',
  })
  scheduleAt?: Date | null;
  @Field(() => DateTime, { nullable: true, description: 'Not delivered after this instant.' })
  expiresAt?: Date | null;
}

@InputType()
export class CancelNotificationInput {
  @Field(() => ID)
  notificationId: string;
}

@InputType()
export class NotificationRequestFilter {
  @Field(() => ID, { nullable: true, description: 'One of the recipients.' })
  userId?: string | null;
  @Field(() => String, { nullable: true })
  type?: string | null;
  @Field(() => RequestStatus, { nullable: true })
  status?: words.RequestStatus | null;
  @Field(() => Channel, { nullable: true, description: 'Of one of the deliveries.' })
  channel?: words.Channel | null;
  @Field(() => DateTime, { nullable: true, description: 'Accepted at or after.' })
  from?: Date | null;
  @Field(() => DateTime, { nullable: true, description: 'Accepted before.' })
  to?: Date | null;
}

@InputType()
export class RegisterDeviceInput {
  @Field(() => ID)
  deviceId: string;
  @Field(() => Platform)
  platform: words.Platform;
  @Field({
    description: "ios and android: the provider's token; web: the PushSubscription as JSON text.",
  })
  deviceToken: string;
  @Field(() => String, { nullable: true })
  appVersion?: string | null;
}

@InputType()
export class UnregisterDeviceInput {
  @Field(() => ID)
  deviceId: string;
}

@InputType()
export class ChannelPreferenceInput {
  @Field()
  notificationType: string;
  @Field(() => Channel)
  channel: words.Channel;
  @Field()
  enabled: boolean;
}

@InputType()
export class SetNotificationPreferencesInput {
  @Field(() => ID, { nullable: true, description: 'Absent: the caller. Another user: admin.' })
  userId?: string | null;
  @Field(() => [ChannelPreferenceInput])
  preferences: ChannelPreferenceInput[];
}

@InputType({ description: 'null clears, an absent field keeps.' })
export class UpdateNotificationSettingsInput {
  @Field(() => ID, { nullable: true, description: 'Absent: the caller. Another user: admin.' })
  userId?: string | null;
  @Field(() => TimeOfDay, { nullable: true })
  quietHoursStart?: string | null;
  @Field(() => TimeOfDay, { nullable: true })
  quietHoursEnd?: string | null;
  @Field(() => String, { nullable: true, description: 'An IANA zone name.' })
  timezone?: string | null;
  @Field(() => String, { nullable: true, description: 'A language code like en or pt-BR.' })
  language?: string | null;
  @Field(() => Boolean, { nullable: true })
  marketingOptIn?: boolean | null;
  @Field(() => DigestFrequency, { nullable: true })
  digestFrequency?: words.DigestFrequency | null;
  @Field(() => String, { nullable: true })
  email?: string | null;
  @Field(() => String, { nullable: true, description: 'E.164.' })
  phone?: string | null;
}

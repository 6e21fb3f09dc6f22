import { Field, ID, InputType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import { Channel, Platform, Priority } from './notification-enums.js';
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
  @Field(() => DateTime, { nullable: true, description: 'Not delivered after this instant.' })
  expiresAt?: Date | null;
}

@InputType()
export class SaveTemplateInput {
  @Field(() => ID, {
    nullable: true,
    description: 'Names one version; a taken id is TEMPLATE_ID_TAKEN; absent: made up.',
  })
  templateId?: string | null;
  @Field()
  notificationType: string;
  @Field(() => Channel)
  channel: words.Channel;
  @Field({ defaultValue: 'en' })
  language: string;
  @Field(() => String, { nullable: true, description: 'Email only.' })
  subject?: string | null;
  @Field(() => String, { nullable: true, description: 'Push only.' })
  title?: string | null;
  @Field()
  body: string;
  @Field(() => String, { nullable: true, description: 'Email only.' })
  htmlBody?: string | null;
  @Field(() => String, { nullable: true, description: 'Push only.' })
  imageUrl?: string | null;
  @Field(() => String, { nullable: true })
  actionUrl?: string | null;
  @Field(() => JSONObject, { nullable: true, description: 'name → { type, required, default }' })
  variables?: Record<string, unknown> | null;
  @Field({ defaultValue: true, description: 'At most one version of a (type, channel, language) is active.' })
  activate: boolean;
}

@InputType()
export class RegisterDeviceInput {
  @Field(() => ID)
  deviceId: string;
  @Field(() => Platform)
  platform: words.Platform;
  @Field({ description: "The provider's token." })
  deviceToken: string;
  @Field(() => String, { nullable: true })
  appVersion?: string | null;
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
  @Field(() => String, { nullable: true })
  email?: string | null;
  @Field(() => String, { nullable: true, description: 'E.164.' })
  phone?: string | null;
}

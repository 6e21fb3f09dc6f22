import { Field, ID, Int, ObjectType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import { Channel, SuppressionReason } from './notification-enums.js';
import { Device, NotificationPreferences } from './notification-settings.js';
import { NotificationRequest } from './notifications.js';
import { Payload, payloadOf } from './payload.js';

@ObjectType({ simpleResolvers: true, description: 'A recipient and channel to which nothing was queued.' })
export class Suppression {
  @Field(() => ID)
  userId: string;
  @Field(() => Channel, {
    nullable: true,
    description: "The channel. Null where it concerns all of the recipient's channels.",
  })
  channel: words.Channel;
  @Field(() => SuppressionReason, { description: 'Why.' })
  reason: words.SuppressionReason;
  @Field(() => String, {
    nullable: true,
    description: 'More about the reason, for a person. Null where there is nothing to add.',
  })
  detail?: string | undefined;
}

/** `request` stands in the resolver. */
@ObjectType({ simpleResolvers: true })
export class SendNotificationPayload extends Payload {
  @Field(() => ID, { nullable: true, description: 'The raw id of the request. Null where it was refused.' })
  requestId?: string;
  @Field(() => String, { nullable: true, description: '`accepted`. Null where it was refused.' })
  status?: string;
  @Field(() => Int, {
    nullable: true,
    description:
      'How many deliveries were queued: one for each recipient and channel. Null where it was refused.',
  })
  notificationsQueued?: number;
  @Field(() => String, {
    nullable: true,
    description: 'By when they should have arrived, RFC 3339. Null where it was refused.',
  })
  estimatedDelivery?: string;
  @Field(() => [Suppression], {
    description: 'The recipients and channels to which nothing was queued, each with its reason.',
  })
  suppressed: readonly Suppression[];
}

@ObjectType({ simpleResolvers: true })
export class CancelNotificationPayload extends Payload {
  @Field(() => NotificationRequest, {
    nullable: true,
    description: 'The request as it is after the change. Null where the mutation was refused.',
  })
  request: words.NotificationRequest | null;
  @Field(() => Int, {
    description: 'How many deliveries will not be made. What was sent already stays sent.',
  })
  cancelled: number;
}

export const RegisterDevicePayload = payloadOf('RegisterDevice', { device: Device });

@ObjectType({ simpleResolvers: true })
export class UnregisterDevicePayload extends Payload {
  @Field(() => Device, { nullable: true, description: 'The device as it was. Null where it was refused.' })
  device: Device | null;
  @Field(() => ID, {
    nullable: true,
    description: 'The global id of the device, for caches to remove. Null where it was refused.',
  })
  deletedId: string | null;
}

export const SetNotificationPreferencesPayload = payloadOf('SetNotificationPreferences', {
  preferences: NotificationPreferences,
});

export const UpdateNotificationSettingsPayload = payloadOf('UpdateNotificationSettings', {
  preferences: NotificationPreferences,
});

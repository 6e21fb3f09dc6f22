import { Field, ID, Int, ObjectType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import { Channel, SuppressionReason } from './notification-enums.js';
import { Device, NotificationPreferences } from './notification-settings.js';
import { UserError } from './user-error.js';

@ObjectType({ simpleResolvers: true })
export class Suppression {
  @Field(() => ID)
  userId: string;
  @Field(() => Channel, { nullable: true })
  channel: words.Channel;
  @Field(() => SuppressionReason)
  reason: words.SuppressionReason;
  @Field(() => String, { nullable: true })
  detail?: string | undefined;
}

@ObjectType({ simpleResolvers: true })
export class SendNotificationPayload {
  @Field(() => ID, { nullable: true })
  requestId?: string;
  @Field(() => String, { nullable: true })
  status?: string;
  @Field(() => Int, { nullable: true })
  notificationsQueued?: number;
  @Field(() => String, { nullable: true })
  estimatedDelivery?: string;
  @Field(() => [Suppression], {
    description: 'The recipients and channels that were not queued, each with its reason.',
  })
  suppressed: readonly Suppression[];
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@ObjectType({ simpleResolvers: true })
export class CancelNotificationPayload {
  @Field(() => Int, { description: 'Deliveries that will not be made. What was sent already stays sent.' })
  cancelled: number;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@ObjectType({ simpleResolvers: true })
export class RegisterDevicePayload {
  @Field(() => Device, { nullable: true })
  device: Device | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@ObjectType({ simpleResolvers: true })
export class UnregisterDevicePayload {
  @Field(() => Device, { nullable: true, description: 'As it was.' })
  device: Device | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@ObjectType({ simpleResolvers: true })
export class SetNotificationPreferencesPayload {
  @Field(() => NotificationPreferences, { nullable: true })
  preferences: NotificationPreferences | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

@ObjectType({ simpleResolvers: true })
export class UpdateNotificationSettingsPayload {
  @Field(() => NotificationPreferences, { nullable: true })
  preferences: NotificationPreferences | null;
  @Field(() => [UserError])
  userErrors: readonly UserError[];
}

import { Field, ID, ObjectType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import { Channel, DigestFrequency, Platform } from './notification-enums.js';
import { DateTime, TimeOfDay } from './scalars.js';

@ObjectType({ simpleResolvers: true })
export class Device {
  @Field(() => ID)
  deviceId: string;
  @Field(() => Platform)
  platform: words.Platform;
  @Field(() => String, { nullable: true })
  appVersion: string | null;
  @Field()
  isActive: boolean;
  @Field(() => DateTime)
  createdAt: Date;
  @Field(() => DateTime, { nullable: true })
  lastSeenAt: Date | null;
}

@ObjectType({ simpleResolvers: true })
export class ChannelPreference {
  @Field()
  notificationType: string;
  @Field(() => Channel)
  channel: words.Channel;
  @Field()
  enabled: boolean;
  @Field(() => DateTime)
  updatedAt: Date;
}

@ObjectType({ simpleResolvers: true })
export class NotificationSettings {
  @Field(() => TimeOfDay, { nullable: true })
  quietHoursStart: string | null;
  @Field(() => TimeOfDay, { nullable: true })
  quietHoursEnd: string | null;
  @Field()
  timezone: string;
  @Field(() => String, { nullable: true })
  language: string | null;
  @Field()
  marketingOptIn: boolean;
  @Field(() => DigestFrequency)
  digestFrequency: words.DigestFrequency;
  @Field(() => String, { nullable: true })
  email: string | null;
  @Field(() => String, { nullable: true })
  phone: string | null;
  @Field(() => DateTime, { nullable: true })
  updatedAt: Date | null;
}

/** All but the user's id stands in the resolver. */
@ObjectType({ simpleResolvers: true })
export class NotificationPreferences {
  @Field(() => ID)
  userId: string;
}

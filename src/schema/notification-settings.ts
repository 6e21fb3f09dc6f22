import { Field, ID, ObjectType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import { deviceRawId } from './global-ids.js';
import { Channel, DigestFrequency, Platform } from './notification-enums.js';
import { Node, toGlobalId } from './relay.js';
import { DateTime, TimeOfDay } from './scalars.js';

@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A phone or a browser that push messages reach.',
})
export class Device extends Node {
  @Field(() => ID, {
    description:
      'The raw id, which the app made up: unique among the devices of its user. Arguments take it as well as the global `id`.',
  })
  deviceId: string;
  @Field(() => Platform, { description: 'What it runs.' })
  platform: words.Platform;
  @Field(() => String, {
    nullable: true,
    description: 'The version of the app. Null where the app did not say.',
  })
  appVersion: string | null;
  @Field({
    description: 'False once it was not seen for 60 days: nothing is sent to it until it registers again.',
  })
  isActive: boolean;
  @Field(() => DateTime, { description: 'When it was registered first.' })
  createdAt: Date;
  @Field(() => DateTime, { nullable: true, description: 'When it was registered last.' })
  lastSeenAt: Date | null;
}

/** A user's device as the API shows it. */
export const toDevice = (userId: string, device: words.Device): Device => ({
  id: toGlobalId('Device', deviceRawId(userId, device.deviceId)),
  ...device,
});

@ObjectType({
  simpleResolvers: true,
  description: 'Whether a user wants a kind of notification over a channel.',
})
export class ChannelPreference {
  @Field({ description: 'The kind of notification.' })
  notificationType: string;
  @Field(() => Channel, { description: 'The channel.' })
  channel: words.Channel;
  @Field({ description: 'Whether it is wanted.' })
  enabled: boolean;
  @Field(() => DateTime, { description: 'When the user said so.' })
  updatedAt: Date;
}

@ObjectType({ simpleResolvers: true, description: 'How and when a user wants to be notified.' })
export class NotificationSettings {
  @Field(() => TimeOfDay, { nullable: true, description: 'When quiet hours begin. Null: there are none.' })
  quietHoursStart: string | null;
  @Field(() => TimeOfDay, {
    nullable: true,
    description: 'When quiet hours end; before their start means on the next day. Null: there are none.',
  })
  quietHoursEnd: string | null;
  @Field({ description: "The user's IANA time zone." })
  timezone: string;
  @Field(() => String, { nullable: true, description: 'The language that the user prefers. Null: none.' })
  language: string | null;
  @Field({ description: 'Whether the user wants marketing.' })
  marketingOptIn: boolean;
  @Field(() => DigestFrequency, {
    description: 'How often the user wants to be notified of what is not urgent.',
  })
  digestFrequency: words.DigestFrequency;
  @Field(() => String, { nullable: true, description: 'Where mails go. Null: nowhere.' })
  email: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Where text messages go, in E.164 format. Null: nowhere.',
  })
  phone: string | null;
  @Field(() => DateTime, {
    nullable: true,
    description: 'When the user changed something last. Null where they never did.',
  })
  updatedAt: Date | null;
}

/** All but the ids stands in the resolver. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'Everything that a user has set about notifications.',
})
export class NotificationPreferences extends Node {
  @Field(() => ID, { description: 'The raw id of the user.' })
  userId: string;
}

import { Field, ID, Int, ObjectType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import type { NotificationRequest as RequestRecord } from '../domains/notifications/index.js';
import { connectionOf } from './connections.js';
import {
  Channel,
  DeliveryStatus,
  LifecycleEvent,
  Priority,
  RequestStatus,
  SuppressionReason,
} from './notification-enums.js';
import { Node } from './relay.js';
import { DateTime, JSONObject } from './scalars.js';

@ObjectType({
  simpleResolvers: true,
  description: 'A message as it is sent, after placeholders were filled in.',
})
export class RenderedContent {
  @Field(() => String, {
    nullable: true,
    description: 'The title, for push and in-app. Null where it has none.',
  })
  title?: string;
  @Field(() => String, {
    nullable: true,
    description: 'The second line of a push below its title. Null where it has none.',
  })
  subtitle?: string;
  @Field(() => Int, {
    nullable: true,
    description: "The number that a push puts on the app's icon. Null where it changes none.",
  })
  badge?: number;
  @Field(() => String, { nullable: true, description: 'The subject of a mail. Null on other channels.' })
  subject?: string;
  @Field({ description: 'The text.' })
  body: string;
  @Field(() => String, { nullable: true, description: 'The HTML of a mail. Null where it has none.' })
  htmlBody?: string;
  @Field(() => String, { nullable: true, description: 'The URL of the picture. Null where it has none.' })
  imageUrl?: string;
  @Field(() => String, {
    nullable: true,
    description: 'The URL that a tap leads to. Null where it leads nowhere.',
  })
  actionUrl?: string;
}

@ObjectType({ simpleResolvers: true, description: 'One step in the life of a delivery.' })
export class TimelineEntry {
  @Field(() => LifecycleEvent, { description: 'What happened.' })
  event: words.LifecycleEvent;
  @Field(() => DateTime, { description: 'When.' })
  at: Date;
  @Field(() => JSONObject, {
    nullable: true,
    description: 'What was decided and why, by name. Null where there is nothing to add.',
  })
  detail: words.Detail | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'What became of a delivery at one of its addresses: its provider answered, or reported later.',
})
export class DeliveryTarget {
  @Field({ description: 'The raw id of the device; on other channels the name of the channel.' })
  target: string;
  @Field(() => String, {
    nullable: true,
    description: 'Why it failed for good, beginning with a code. Null where the provider took it.',
  })
  error: string | null;
  @Field(() => String, {
    nullable: true,
    description: "The provider's own id of the message, by which it is found there. Null where it gave none.",
  })
  providerId: string | null;
}

/** `renderedContent`, `timeline` and what only some may see stand in the resolver. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'One notification to one user over one channel.',
})
export class Delivery extends Node {
  @Field(() => ID)
  deliveryId: string;
  @Field(() => ID, { description: "The producer's own id of the notification." })
  notificationId: string;
  @Field(() => ID)
  userId: string;
  @Field({ description: 'The kind of notification.' })
  notificationType: string;
  @Field(() => Channel, { description: 'The channel.' })
  channel: words.Channel;
  @Field(() => Priority, { description: 'How urgent it is.' })
  priority: words.Priority;
  @Field(() => DeliveryStatus, { description: 'How far it is.' })
  status: words.DeliveryStatus;
  @Field(() => SuppressionReason, { nullable: true, description: 'Why it is not sent. Null where it is.' })
  suppression: words.SuppressionReason | null;
  @Field(() => Int, { description: 'How often a provider was called.' })
  attempt: number;
  @Field(() => Int, { description: 'How often it is tried again after the first call.' })
  maxRetries: number;
  @Field(() => String, {
    nullable: true,
    description: 'The code of the last failure. Null where nothing failed.',
  })
  lastError: string | null;
  @Field(() => DateTime, {
    nullable: true,
    description: 'When the next attempt is made. Null where none is planned.',
  })
  nextRetryAt: Date | null;
  @Field(() => DateTime, {
    nullable: true,
    description:
      'When it is decided and sent, where it is SCHEDULED; `timeline` says why then. Null elsewhere.',
  })
  dueAt: Date | null;
  @Field(() => DateTime, { description: 'When it was accepted.' })
  createdAt: Date;
  @Field(() => DateTime, { nullable: true, description: 'It is not sent after this time. Null: no limit.' })
  expiresAt: Date | null;
  @Field(() => ID, {
    nullable: true,
    description: 'The raw id of the delivery that failed, where this one takes its place. Null elsewhere.',
  })
  fallbackForId: string | null;
}

export const DeliveryConnection = connectionOf(
  'Delivery',
  Delivery,
  'A page of deliveries: those of a user, or that were searched for, newest first, those of a request in the order in which they were accepted. There is no `totalCount`: counting would read all of them.',
);

/** `deliveries` stands in the resolver. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'One notification that a producer asked for, with all its deliveries.',
})
export class NotificationRequest extends Node implements Omit<RequestRecord, 'id'> {
  @Field(() => ID, { description: 'The raw id of the request, which the server made.' })
  requestId: string;
  @Field(() => ID, {
    description:
      "The producer's own id of the notification. Arguments take it as well as the global `id` of the request.",
  })
  notificationId: string;
  @Field({ description: 'The kind of notification.' })
  type: string;
  @Field(() => Priority, { description: 'How urgent it is.' })
  priority: words.Priority;
  @Field(() => ID)
  templateId: string;
  @Field(() => RequestStatus, { description: 'How far it is, over all deliveries.' })
  status: RequestRecord['status'];
  @Field(() => DateTime, { nullable: true, description: 'When it is sent. Null: at once.' })
  scheduleAt: Date | null;
  @Field({
    description:
      'Whether `scheduleAt` means its date and time in UTC as the clock of each recipient shows them.',
  })
  scheduleInLocalTime: boolean;
  @Field(() => DateTime, { nullable: true, description: 'It is not sent after this time. Null: no limit.' })
  expiresAt: Date | null;
  @Field(() => DateTime, { description: 'When it was accepted.' })
  createdAt: Date;
  @Field({ description: 'The id of the user who asked for it.' })
  producer: string;
}

export const NotificationRequestConnection = connectionOf(
  'NotificationRequest',
  NotificationRequest,
  'A page of requests, newest first. It looks at 1,000 of them at most: where few pass the filter it has fewer than `first`, or none, while `hasNextPage` is true and `endCursor` goes on. Narrow it by `from` and `to`. There is no `totalCount`: counting would read all of them.',
);

@ObjectType({ simpleResolvers: true, description: 'One step of one delivery of a notification.' })
export class NotificationStatusUpdate {
  @Field({ description: 'Pass it as `after` to go on after this update.' })
  cursor: string;
  @Field(() => ID)
  deliveryId: string;
  @Field(() => ID)
  userId: string;
  @Field(() => Channel, { description: 'The channel of the delivery.' })
  channel: words.Channel;
  @Field(() => LifecycleEvent, { description: 'What happened.' })
  event: words.LifecycleEvent;
  @Field(() => DeliveryStatus, { description: 'How far the delivery was after this step.' })
  status: words.DeliveryStatus;
  @Field(() => DateTime, { description: 'When it happened.' })
  at: Date;
}

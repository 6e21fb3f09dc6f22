import { Field, ID, Int, ObjectType } from 'type-graphql';
import type * as words from '../domains/notifications/index.js';
import type {
  Delivery as DeliveryRecord,
  NotificationRequest as RequestRecord,
} from '../domains/notifications/index.js';
import {
  Channel,
  DeliveryStatus,
  LifecycleEvent,
  Priority,
  RequestStatus,
  SuppressionReason,
} from './notification-enums.js';
import { Node, PageInfo } from './relay.js';
import { DateTime, JSONObject } from './scalars.js';

@ObjectType({ simpleResolvers: true })
export class RenderedContent {
  @Field(() => String, { nullable: true })
  title?: string;
  @Field(() => String, { nullable: true })
  subject?: string;
  @Field()
  body: string;
  @Field(() => String, { nullable: true })
  htmlBody?: string;
  @Field(() => String, { nullable: true })
  imageUrl?: string;
  @Field(() => String, { nullable: true })
  actionUrl?: string;
}

@ObjectType({ simpleResolvers: true })
export class TimelineEntry {
  @Field(() => LifecycleEvent)
  event: words.LifecycleEvent;
  @Field(() => DateTime)
  at: Date;
  @Field(() => JSONObject, { nullable: true })
  detail: words.Detail | null;
}

/** `id`, `renderedContent` and `timeline` stand in the resolver. */
@ObjectType({ implements: Node, simpleResolvers: true })
export class Delivery extends Node {
  @Field(() => ID)
  deliveryId: string;
  @Field(() => ID)
  notificationId: string;
  @Field(() => ID)
  userId: string;
  @Field(() => Channel)
  channel: words.Channel;
  @Field(() => Priority)
  priority: words.Priority;
  @Field(() => DeliveryStatus)
  status: words.DeliveryStatus;
  @Field(() => SuppressionReason, { nullable: true })
  suppression: words.SuppressionReason | null;
  @Field(() => Int)
  attempt: number;
  @Field(() => Int)
  maxRetries: number;
  @Field(() => String, { nullable: true })
  lastError: string | null;
  @Field(() => DateTime, { nullable: true })
  nextRetryAt: Date | null;
  @Field(() => DateTime)
  createdAt: Date;
  @Field(() => DateTime, { nullable: true })
  expiresAt: Date | null;
  @Field(() => ID, { nullable: true, description: 'Set where this delivery is the fallback of another.' })
  fallbackForId: string | null;
}

@ObjectType({ simpleResolvers: true })
export class DeliveryEdge {
  @Field()
  cursor: string;
  @Field(() => Delivery)
  node: DeliveryRecord;
}

@ObjectType({ simpleResolvers: true })
export class DeliveryConnection {
  @Field(() => [DeliveryEdge])
  edges: readonly DeliveryEdge[];
  @Field(() => PageInfo)
  pageInfo: PageInfo;
}

/** `id` and `deliveries` stand in the resolver. */
@ObjectType({ implements: Node, simpleResolvers: true })
export class NotificationRequest extends Node implements Omit<RequestRecord, 'id'> {
  @Field(() => ID)
  requestId: string;
  @Field(() => ID)
  notificationId: string;
  @Field()
  type: string;
  @Field(() => Priority)
  priority: words.Priority;
  @Field(() => ID)
  templateId: string;
  @Field(() => RequestStatus)
  status: RequestRecord['status'];
  @Field(() => DateTime, { nullable: true })
  scheduleAt: Date | null;
  @Field(() => DateTime, { nullable: true })
  expiresAt: Date | null;
  @Field(() => DateTime)
  createdAt: Date;
  @Field()
  producer: string;
}

@ObjectType({ simpleResolvers: true })
export class NotificationRequestEdge {
  @Field()
  cursor: string;
  @Field(() => NotificationRequest)
  node: RequestRecord;
}

@ObjectType({ simpleResolvers: true })
export class NotificationRequestConnection {
  @Field(() => [NotificationRequestEdge])
  edges: readonly NotificationRequestEdge[];
  @Field(() => PageInfo)
  pageInfo: PageInfo;
}

@ObjectType({ simpleResolvers: true })
export class NotificationStatusUpdate {
  @Field({ description: 'Goes on after this event.' })
  cursor: string;
  @Field(() => ID)
  deliveryId: string;
  @Field(() => ID)
  userId: string;
  @Field(() => Channel)
  channel: words.Channel;
  @Field(() => LifecycleEvent)
  event: words.LifecycleEvent;
  @Field(() => DeliveryStatus)
  status: words.DeliveryStatus;
  @Field(() => DateTime)
  at: Date;
}
